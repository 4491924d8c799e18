// Fills words of a buffer from pattern.wgsl, which comes before it.
struct Range {
  first: u32,
  end: u32,
  seed: u32,
}

@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@group(0) @binding(1) var<uniform> range: Range;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  for (var index = range.first + id.x; index < range.end; index += workgroups.x * 64u) {
    words[index] = patternWord(range.seed + index);
  }
}
