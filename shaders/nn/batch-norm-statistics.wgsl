// batchNorm.statistics, first of two calls: mean and squared deviations of each group of pixels.
// batch-norm-merge-statistics.wgsl merges the groups.
//
// Two passes over the group's few pixels: sums of squares would lose the variance where the mean
// is many deviations away.

/// [pixels, channels]
@group(0) @binding(1) var<storage, read> input: array<f32>;
/// [groups, channels]: mean, sum of squared deviations from it.
@group(0) @binding(2) var<storage, read_write> partials: array<vec2f>;

/// Lanes: group, channel (fastest).
fn statisticsLane(lane: u32) {
  let group = lane / geometry.channels;
  if (group >= geometry.groups) { return; }
  let step = geometry.groups * geometry.channels;
  let end = geometry.pixels * geometry.channels;
  var sum = 0.0;
  for (var element = lane; element < end; element += step) {
    sum += input[element];
  }
  let mean = sum / f32(pixelsOf(group));
  var squares = 0.0;
  for (var element = lane; element < end; element += step) {
    let deviation = input[element] - mean;
    squares += deviation * deviation;
  }
  partials[lane] = vec2f(mean, squares);
}

@compute @workgroup_size(workgroupSize)
fn statistics(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    statisticsLane(tile * workgroupSize + lane);
  }
}
