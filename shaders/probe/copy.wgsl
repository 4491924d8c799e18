// Bandwidth probe: destination = source, as many passes as asked for. In each pass a workgroup takes
// another share, so that no inner cache holds what it moves. Workgroups run passes at their own pace
// and may write one element twice, but only ever the same value.
//
// A generated prelude declares Element, wordOf(), workgroupSize and unroll; `#each` lines are
// repeated for each element in flight, `$` being its number.
struct Parameters {
  // Elements of each workgroup's share.
  share: u32,
  passes: u32,
  // Shares from one pass to the next; odd, and the number of workgroups is a power of two.
  stride: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> source: array<Element>;
@group(0) @binding(2) var<storage, read_write> destination: array<Element>;
// One word a lane; every dispatch adds to it.
@group(0) @binding(3) var<storage, read_write> sums: array<u32>;

@compute @workgroup_size(workgroupSize)
fn main(
  @builtin(local_invocation_index) local: u32,
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
) {
  var sum = 0u;
  for (var turn = 0u; turn < parameters.passes; turn++) {
    let start = ((workgroup.x + turn * parameters.stride) % workgroups.x) * parameters.share + local;
    for (var trip = 0u; trip < parameters.share; trip += workgroupSize * unroll) {
      #each let at$ = start + trip + $u * workgroupSize;
      #each let value$ = source[at$];
      #each destination[at$] = value$;
      #each sum = sum * 5u + wordOf(value$);
    }
    sum += turn + 1u;
  }
  sums[workgroup.x * workgroupSize + local] += sum;
}
