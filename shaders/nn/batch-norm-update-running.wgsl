// batchNorm.updateRunning: running += momentum (batch statistics - running), of the mean and of the
// unbiased variance.

struct RunningUpdate {
  channels: u32,
  /// Share of the batch.
  momentum: f32,
  /// pixels / (pixels - 1): makes the biased variance unbiased.
  unbias: f32,
  /// What was added to the variance before its root was taken.
  epsilon: f32,
}

@group(0) @binding(0) var<uniform> geometry: RunningUpdate;
/// [2, channels]: mean, inverse deviation.
@group(0) @binding(1) var<storage, read> statistics: array<f32>;
/// [2, channels]: mean, unbiased variance.
@group(0) @binding(2) var<storage, read_write> running: array<f32>;

/// Lanes: channel.
fn updateLane(channel: u32) {
  if (channel >= geometry.channels) { return; }
  let inverseDeviation = statistics[geometry.channels + channel];
  let variance = 1.0 / (inverseDeviation * inverseDeviation) - geometry.epsilon;
  let mean = running[channel];
  running[channel] = fma(geometry.momentum, statistics[channel] - mean, mean);
  let spread = running[geometry.channels + channel];
  running[geometry.channels + channel] =
    fma(geometry.momentum, geometry.unbias * variance - spread, spread);
}

@compute @workgroup_size(workgroupSize)
fn updateRunning(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    updateLane(tile * workgroupSize + lane);
  }
}
