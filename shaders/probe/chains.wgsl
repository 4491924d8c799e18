// The arithmetic probes: every lane runs independent chains x = stepOf(x, a, b) and adds the bits of
// their values to its word of the result.
//
// Before it come a generated prelude (Value, Bits, bitsOf(), digest(), tripsPerSegment, workgroupSize),
// the start values of the number type, and stepOf(). `#chain` lines are repeated for each chain and
// `#step` lines for each chain in each step of a trip, `$` being the chain's number.
struct Parameters {
  segments: u32,
  // Zero, which the compiler cannot know.
  zero: u32,
  // Bits of the coefficients.
  a: u32,
  b: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// One word a lane; every dispatch adds to it, so that all repeats are checked.
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

@compute @workgroup_size(workgroupSize)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let lane = id.x;
  let own = ownBits(lane);
  let a = coefficientOf(parameters.a + own);
  let b = coefficientOf(parameters.b + own);
  let first = firstValue(lane);
  #chain var sum$ = Bits();
  for (var segment = 0u; segment < parameters.segments; segment++) {
    #chain var x$ = startValue(first, segment, $u);
    for (var trip = 0u; trip < tripsPerSegment; trip++) {
      #step x$ = stepOf(x$, a, b);
    }
    #chain sum$ += bitsOf(x$);
  }
  var total = 0u;
  #chain total += (2u * $u + 1u) * digest(sum$);
  sums[lane] += total;
}

// Nothing to add to a coefficient: known to be nothing, or as far as the compiler knows each lane's own.
fn ownBits(lane: u32) -> u32 {
  return select(0u, lane & parameters.zero, inRegisters);
}
