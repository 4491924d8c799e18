// The knee: every lane loads lines of 64 bytes, four vectors each, works on them for as many steps as
// the intensity asks and, in a copy, stores what became of them. Dispatches go on through the source
// where the last one ended, so that its cache lines are not met again before all others.
//
// A generated prelude comes before it: Element, elementsPerLine, vectorOf(), workgroupSize and
// tripsPerSegment; and stepOf() of the chains. `#column` lines are repeated for each vector, `#worked`
// ones for those that are worked on, `#idle` ones for the others, `#step` ones for each worked vector in
// each step of a trip. `#loop` lines stay where there is more than one trip, `#store` ones where lines
// are stored. `$` is the vector's number. The trips are in two loops, and the inner one's number is a
// constant: in a single loop whose end is a parameter compilers for CPUs keep the vectors in memory.
alias Value = vec4f;

struct Parameters {
  // Lines that each lane loads.
  lines: u32,
  // Lines of each lane in the source, less one; a power of two less one.
  lineMask: u32,
  // Of each line's steps.
  segments: u32,
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
    #loop for (var segment = 0u; segment < parameters.segments; segment++) {
    #loop for (var trip = 0u; trip < tripsPerSegment; trip++) {
    #step x$ = stepOf(x$, a, b);
    #loop }
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
