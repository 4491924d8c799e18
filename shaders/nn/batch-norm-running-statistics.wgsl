// batchNorm.runningStatistics: statistics = running mean, 1 / sqrt(running variance + epsilon).

struct RunningStatistics {
  channels: u32,
  /// Added to the variance.
  epsilon: f32,
}

@group(0) @binding(0) var<uniform> geometry: RunningStatistics;
/// [2, channels]: mean, unbiased variance.
@group(0) @binding(1) var<storage, read> running: array<f32>;
/// [2, channels]: mean, inverse deviation.
@group(0) @binding(2) var<storage, read_write> statistics: array<f32>;

/// Lanes: channel.
fn statisticsLane(channel: u32) {
  if (channel >= geometry.channels) { return; }
  statistics[channel] = running[channel];
  statistics[geometry.channels + channel] =
    1.0 / sqrt(running[geometry.channels + channel] + geometry.epsilon);
}

@compute @workgroup_size(workgroupSize)
fn runningStatistics(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    statisticsLane(tile * workgroupSize + lane);
  }
}
