// Fills a buffer with incompressible words in +-[1, 2); src/core/probes/pattern.ts says the same.
@group(0) @binding(0) var<storage, read_write> words: array<u32>;
// First word, and the one after the last.
@group(0) @binding(1) var<uniform> range: vec2u;

fn patternWord(index: u32) -> u32 {
  var mixed = index ^ (index >> 16u);
  mixed *= 0x7feb352du;
  mixed ^= mixed >> 15u;
  mixed *= 0x846ca68bu;
  mixed ^= mixed >> 16u;
  return (mixed & 0x807fffffu) | 0x3f800000u;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  for (var index = range.x + id.x; index < range.y; index += workgroups.x * 64u) {
    words[index] = patternWord(index);
  }
}
