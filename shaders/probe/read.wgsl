// Bandwidth probe: loads the source and sums all its words. After stream.wgsl.
@group(0) @binding(2) var<storage, read> source: array<Element>;

@compute @workgroup_size(workgroupSize)
fn main(
  @builtin(local_invocation_index) local: u32,
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
) {
  var sum = 0u;
  for (var number = 0u; number < parameters.passes; number++) {
    let start = shareStart(workgroup.x, workgroups.x, number) + local;
    for (var trip = 0u; trip < parameters.share; trip += tripLength) {
      #each let at$ = start + trip + $u * workgroupSize;
      #each let value$ = source[at$];
      #each sum = sum * 5u + sumOfWords(value$);
    }
    sum += number + 1u;
  }
  sums[workgroup.x * workgroupSize + local] += sum;
}
