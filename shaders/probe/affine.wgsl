// Arithmetic probe, affine form: x = fma(x, a, b), two flops a component and step. After
// chains.wgsl; `#chain` lines are repeated for each chain and `#step` lines for each step of a
// trip, `$` being the chain's number.
@compute @workgroup_size(workgroupSize)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let lane = id.x;
  let a = coefficientOf(parameters.a, lane & parameters.zero);
  let b = coefficientOf(parameters.b, lane & parameters.zero);
  let first = firstValues(lane);
  #chain var sum$ = Bits();
  for (var segment = 0u; segment < parameters.segments; segment++) {
    let start = first + Value(f32(segment & 7u) * 0.0625);
    #chain var x$ = start + Value(f32($) * chainOffset);
    for (var trip = 0u; trip < tripsPerSegment; trip++) {
      #step x$ = fma(x$, a, b);
    }
    #chain sum$ += bitcast<Bits>(x$);
  }
  var total = 0u;
  #chain total += (2u * $u + 1u) * digest(sum$);
  sums[lane] += total;
}
