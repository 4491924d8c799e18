// Bandwidth probe: destination = source + 0.5 addend. After stream.wgsl.
@group(0) @binding(2) var<storage, read> source: array<Element>;
@group(0) @binding(3) var<storage, read> addend: array<Element>;
@group(0) @binding(4) var<storage, read_write> destination: array<Element>;

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
      #each let value$ = combined(source[at$], addend[at$]);
      #each destination[at$] = value$;
      #each sum = sum * 5u + firstWord(value$);
    }
    sum += number + 1u;
  }
  sums[workgroup.x * workgroupSize + local] += sum;
}
