// The knee: every lane loads lines of 64 bytes, four vectors each, works on them for as many steps as
// the intensity asks and, in a copy, stores what became of them. Dispatches go on through the source
// where the last one ended, so that its cache lines are not met again before all others.
//
// A generated prelude comes before it: Element, elementsPerLine, vectorOf(), workgroupSize; and
// stepOf() of the chains. `#column` lines are repeated for each vector, `#worked` ones for those that
// are worked on, `#idle` ones for the others. Few steps stand one after the other: `#step` lines are
// repeated for each worked vector in each of them. Of many steps two vectors at a time take trips of
// `#lower` and `#upper` ones: two and their coefficients fit the registers of CPUs, four do not.
// `#loop` lines stay where there are trips, `#store` ones where lines are stored. `$` is the vector's
// number.
alias Value = vec4f;

struct Parameters {
  // Lines that each lane loads.
  lines: u32,
  // Lines of each lane in the source, less one; a power of two less one.
  lineMask: u32,
  // Trips of each inner loop.
  trips: u32,
  // Bits of the coefficients.
  a: u32,
  b: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// A word a lane that every dispatch adds to, then a word a lane with the number of its next line.
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@group(0) @binding(2) var<storage, read> source: array<Element>;
#store @group(0) @binding(3) var<storage, read_write> destination: array<Element>;

@compute @workgroup_size(workgroupSize)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let lanes = workgroups.x * workgroupSize;
  let a = Value(bitcast<f32>(parameters.a));
  let b = Value(bitcast<f32>(parameters.b));
  let first = sums[lanes + id.x];
  #column var sum$ = vec4u();
  for (var number = first; number < first + parameters.lines; number++) {
    let place = (number & parameters.lineMask) * lanes * elementsPerLine + id.x;
    #column let words$ = vectorOf(place, lanes, $u);
    #worked var x$ = startOf(words$);
    #step x$ = stepOf(x$, a, b);
    #loop for (var trip = 0u; trip < parameters.trips; trip++) {
      #lower x$ = stepOf(x$, a, b);
    #loop }
    #loop for (var trip = 0u; trip < parameters.trips; trip++) {
      #upper x$ = stepOf(x$, a, b);
    #loop }
    #worked let end$ = bitcast<vec4u>(x$);
    #idle let end$ = words$;
    #column sum$ += end$;
    #store storeLine(place, lanes, end0, end1, end2, end3);
  }
  var total = 0u;
  #column total += (2u * $u + 1u) * dot(sum$, vec4u(1u, 3u, 5u, 7u));
  sums[id.x] += total;
  sums[lanes + id.x] = first + parameters.lines;
}

// Four bits of a word choose one of 16 values in [1, 2).
fn startOf(words: vec4u) -> Value {
  return bitcast<Value>((words & vec4u(0x00780000u)) | vec4u(0x3f800000u));
}
