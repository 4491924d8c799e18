// Keeps the device busy for a known number of trips: warm-up and the examination of its timer.
@group(0) @binding(0) var<uniform> trips: u32;
@group(0) @binding(1) var<storage, read_write> sink: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var x = f32(id.x);
  for (var trip = 0u; trip < trips; trip++) {
    x = fma(x, 0.75, 0.5);
  }
  sink[id.x] = x;
}
