// Lays out the pointer chase: a single cycle through all lines, page by page, the lines of a page and
// the pages in pseudo-random order. src/core/probes/pageChase.ts says the same.
struct Parameters {
  // Pages, a power of two, less one.
  pageMask: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read_write> pointers: array<u32>;

const linesPerPage = 32u;
const wordsPerLine = 32u;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let lines = (parameters.pageMask + 1u) * linesPerPage;
  for (var index = id.x; index < lines; index += workgroups.x * 64u) {
    let page = index / linesPerPage;
    // A linear congruential step with an odd increment and a factor of 1 modulo 4 visits all of a
    // power of two.
    let line = ((index % linesPerPage) * 21u + 13u) % linesPerPage;
    let nextPage = select(page, (page * 0x2c9277b5u + 0x3c6ef35fu) & parameters.pageMask, line == 0u);
    pointers[index * wordsPerLine] = (nextPage * linesPerPage + line) * wordsPerLine;
  }
}
