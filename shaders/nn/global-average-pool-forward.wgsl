// globalAveragePool.forward: output[image][c] = mean over pixels of input[image][pixel][c]

struct PoolGeometry {
  /// Images.
  batch: u32,
  /// Pixels of an image.
  pixels: u32,
  channels: u32,
}

@group(0) @binding(0) var<uniform> geometry: PoolGeometry;
/// [batch, pixels, channels]
@group(0) @binding(1) var<storage, read> input: array<f32>;
/// [batch, channels]
@group(0) @binding(2) var<storage, read_write> output: array<f32>;

/// Lanes: image, channel (fastest).
fn averageLane(lane: u32) {
  let image = lane / geometry.channels;
  if (image >= geometry.batch) { return; }
  let first = image * geometry.pixels * geometry.channels + lane % geometry.channels;
  var sum = 0.0;
  for (var pixel = 0u; pixel < geometry.pixels; pixel++) {
    sum += input[first + pixel * geometry.channels];
  }
  output[lane] = sum / f32(geometry.pixels);
}

@compute @workgroup_size(workgroupSize)
fn averagePool(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    averageLane(tile * workgroupSize + lane);
  }
}
