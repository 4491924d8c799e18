// Loads of single words, each from a cache line of its own. Dispatches go on where the last one ended,
// so that no cache holds what they load. After place-strided.wgsl or
// place-random.wgsl, which say where the words are, and a prelude with workgroupSize and unroll.
// `#each` lines are repeated for each load in flight, `$` being its number.
struct Parameters {
  passes: u32,
  // Words of the source, a power of two, less one.
  mask: u32,
  // Words from one load to the next.
  stride: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// A word a lane that every dispatch adds to, then a word a lane with the number of its next pass.
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@group(0) @binding(2) var<storage, read> source: array<u32>;

@compute @workgroup_size(workgroupSize)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let lanes = workgroups.x * workgroupSize;
  let first = sums[lanes + id.x];
  var sum = sums[id.x];
  for (var number = first; number < first + parameters.passes; number++) {
    let index = number * unroll * lanes + id.x;
    #each let word$ = source[placeOf(index + $u * lanes)];
    #each sum = sum * 5u + word$;
  }
  sums[id.x] = sum;
  sums[lanes + id.x] = first + parameters.passes;
}
