// Bandwidth probe: stores words that depend on their place. After stream.wgsl and pattern.wgsl.
@group(0) @binding(2) var<storage, read_write> destination: array<Element>;

@compute @workgroup_size(workgroupSize)
fn main(
  @builtin(local_invocation_index) local: u32,
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
) {
  let own = ownElement(local);
  var sum = 0u;
  for (var number = 0u; number < parameters.passes; number++) {
    let start = shareStart(workgroup.x, workgroups.x, number) + local;
    for (var trip = 0u; trip < parameters.share; trip += tripLength) {
      #each let at$ = start + trip + $u * workgroupSize;
      #each let value$ = changed(own, (at$ * 0x9e3779b1u) >> 9u);
      #each destination[at$] = value$;
      #each sum = sum * 5u + firstWord(value$);
    }
    sum += number + 1u;
  }
  sums[workgroup.x * workgroupSize + local] += sum;
}
