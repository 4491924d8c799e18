// Start values of f32 chains; src/core/probes/chainNumbers.ts says the same. The prelude declares
// Value, componentNumbers and shift.
const ulp = 0x1p-23f;
const componentOffset = 0x1p16f * ulp;
const chainOffset = 4.0 * componentOffset;

fn coefficientOf(bits: u32) -> Value {
  return Value(bitcast<f32>(bits));
}

// Chain 0 in segment 0.
fn firstValue(lane: u32) -> Value {
  return Value(1.0 + f32(lane & 0xffffu) * ulp + shift) + componentNumbers * componentOffset;
}

fn startValue(first: Value, segment: u32, chain: u32) -> Value {
  return first + Value(f32(segment & 7u) * 0.0625 + f32(chain) * chainOffset);
}
