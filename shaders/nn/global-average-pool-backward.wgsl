// globalAveragePool.backward: inputGradient[image][pixel][c] = outputGradient[image][c] / pixels

struct PoolGeometry {
  /// Images.
  batch: u32,
  /// Pixels of an image.
  pixels: u32,
  channels: u32,
}

@group(0) @binding(0) var<uniform> geometry: PoolGeometry;
/// [batch, channels]
@group(0) @binding(1) var<storage, read> outputGradient: array<f32>;
/// [batch, pixels, channels]
@group(0) @binding(2) var<storage, read_write> inputGradient: array<f32>;

/// Lanes: image, channel (fastest).
fn spreadLane(lane: u32) {
  let image = lane / geometry.channels;
  if (image >= geometry.batch) { return; }
  let share = outputGradient[lane] / f32(geometry.pixels);
  let first = image * geometry.pixels * geometry.channels + lane % geometry.channels;
  for (var pixel = 0u; pixel < geometry.pixels; pixel++) {
    inputGradient[first + pixel * geometry.channels] = share;
  }
}

@compute @workgroup_size(workgroupSize)
fn averagePoolBackward(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    spreadLane(tile * workgroupSize + lane);
  }
}
