// Bandwidth of what a workgroup has to itself: its lanes load all of its elements in every pass, each
// pass with another lane at each of them. After own-storage.wgsl or own-tile.wgsl, which say where the
// elements are: prepare() and load().
//
// A generated prelude comes before it: Element, Sum, summand(), digest(), workgroupSize and unroll.
// `#each` lines are repeated for each element in flight, `$` being its number.
struct Parameters {
  // Elements of each workgroup, a multiple of a trip's.
  share: u32,
  passes: u32,
  // 1: every lane loads an element of its own. 0: all load the same one.
  spread: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// One word a lane; every dispatch adds to it, so that all repeats are checked.
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@group(0) @binding(2) var<storage, read> source: array<Element>;

@compute @workgroup_size(workgroupSize)
fn main(@builtin(local_invocation_index) local: u32, @builtin(workgroup_id) workgroup: vec3u) {
  let start = workgroup.x * parameters.share;
  prepare(start, local);
  #each var sum$ = Sum();
  for (var number = 0u; number < parameters.passes; number++) {
    #each var part$ = Sum();
    let place = (local * parameters.spread + number) % workgroupSize;
    for (var at = place; at < parameters.share; at += workgroupSize * unroll) {
      #each part$ += summand(load(start, at + $u * workgroupSize));
    }
    #each sum$ += part$ * (2u * number + 1u);
  }
  var total = 0u;
  #each total += digest(sum$);
  sums[workgroup.x * workgroupSize + local] += total;
}
