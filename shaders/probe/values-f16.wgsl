// Start values of f16 chains; src/core/probes/chainNumbers.ts says the same. The prelude declares
// Value, componentNumbers and shift.
const ulp = 0.0009765625h;
const componentOffset = 8.0h * ulp;
const chainOffset = 4.0h * componentOffset;

fn coefficientOf(bits: u32) -> Value {
  return Value(f16(bitcast<f32>(bits)));
}

// Chain 0 in segment 0.
fn firstValue(lane: u32) -> Value {
  return Value(1.0h + f16(lane & 7u) * ulp + shift) + componentNumbers * componentOffset;
}

fn startValue(first: Value, segment: u32, chain: u32) -> Value {
  return first + Value(f16(segment & 7u) * 0.0625h + f16(chain) * chainOffset);
}
