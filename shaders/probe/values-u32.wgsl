// Start values of integer chains; src/core/probes/chainNumbers.ts says the same. The prelude declares
// Value and componentNumbers.
const startFactor = 0x9e3779b1u;
const segmentFactor = 0x85ebca6bu;

fn coefficientOf(bits: u32) -> Value {
  return Value(bits);
}

// Chain 0 in segment 0.
fn firstValue(lane: u32) -> Value {
  return (Value(lane * 64u) + componentNumbers) * startFactor;
}

fn startValue(first: Value, segment: u32, chain: u32) -> Value {
  return first + Value((segment & 7u) * segmentFactor + chain * 4u * startFactor);
}
