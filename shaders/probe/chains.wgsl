// What the arithmetic probes share. A generated prelude comes before it: Value and Bits (scalar or
// vector), componentNumbers, shift, digest(), coefficientOf(), tripsPerSegment and workgroupSize.
struct Parameters {
  segments: u32,
  // Zero, which the compiler cannot know.
  zero: u32,
  a: f32,
  b: f32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// One word a lane; every dispatch adds to it, so that all repeats are checked.
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

const ulp = 0x1p-23f;
// From a component to the next, and from a chain to the next.
const componentOffset = 0x1p16f * ulp;
const chainOffset = 4.0 * componentOffset;

// Start values of a lane's chain 0 in segment 0; src/core/probes/chainSums.ts says the same.
fn firstValues(lane: u32) -> Value {
  return Value(1.0 + f32(lane & 0xffffu) * ulp + shift) + componentNumbers * componentOffset;
}
