// Atomic additions: every lane adds one to a counter in every pass, each pass to the next one.
struct Parameters {
  passes: u32,
  // Counters, a power of two, less one.
  mask: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read_write> counters: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  for (var number = 0u; number < parameters.passes; number++) {
    atomicAdd(&counters[(id.x + number) & parameters.mask], 1u);
  }
}
