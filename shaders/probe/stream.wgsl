// What the bandwidth probes share. Passes repeat inside the kernel; in each a workgroup takes another
// share, so that no inner cache holds what it moves. Workgroups run passes at their own pace and may
// write one element twice, but only ever the same value.
//
// A generated prelude comes before it: Element, firstWord(), workgroupSize and unroll. In the
// patterns `#each` lines are repeated for each element in flight, `$` being its number.
struct Parameters {
  // Elements of each workgroup's share.
  share: u32,
  passes: u32,
  // Shares from one pass to the next; odd, and the number of workgroups is a power of two.
  stride: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// One word a lane; every dispatch adds to it, so that all repeats are checked.
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

const tripLength = workgroupSize * unroll;

// First element of the share that a workgroup takes in a pass.
fn shareStart(workgroup: u32, workgroups: u32, number: u32) -> u32 {
  return ((workgroup + number * parameters.stride) % workgroups) * parameters.share;
}
