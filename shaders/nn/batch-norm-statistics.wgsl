// batchNorm.statistics, first of two calls: mean and squared deviations of each group of pixels.
// batch-norm-merge-statistics.wgsl merges the groups.
//
// Squares are taken from the group's own mean: sums of squares would lose the variance where the mean
// is many deviations away. A group's pixels are few enough to be kept, so each is loaded once; the
// loop over them is unrolled, e being their number at the most.

/// [pixels, channels]
@group(0) @binding(1) var<storage, read> input: array<f32>;
/// [groups, 3, channels]: pixels, their mean, sum of squared deviations from it.
@group(0) @binding(2) var<storage, read_write> partials: array<f32>;

/// Lanes: group, channel (fastest).
fn statisticsLane(lane: u32) {
  let group = lane / geometry.channels;
  if (group >= geometry.groups) { return; }
  let step = geometry.groups * geometry.channels;
  let count = pixelsOf(group);
  #each e
  let inside$(e) = $(e)u < count;
  let value$(e) = select(0.0, input[select(lane, lane + $(e)u * step, inside$(e))], inside$(e));
  #end
  var sum = 0.0;
  #each e
  sum += value$(e);
  #end
  let mean = sum / f32(count);
  var squares = 0.0;
  #each e
  squares += select(0.0, (value$(e) - mean) * (value$(e) - mean), inside$(e));
  #end
  let element = group * 3u * geometry.channels + lane % geometry.channels;
  partials[element] = f32(count);
  partials[element + geometry.channels] = mean;
  partials[element + 2u * geometry.channels] = squares;
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
