// batchNorm.backwardStatistics, second of two calls: adds the groups' sums up to the gradients of
// gamma and beta, by a tree that depends on shapes alone. One workgroup, and tile, a channel.

/// [groups, channels]: sum of d x normalised input, sum of d.
@group(0) @binding(1) var<storage, read> partials: array<vec2f>;
/// [channels]
@group(0) @binding(2) var<storage, read_write> gammaGradient: array<f32>;
/// [channels]
@group(0) @binding(3) var<storage, read_write> betaGradient: array<f32>;

var<workgroup> workgroupSums: array<vec2f, workgroupSize>;

/// Adds every workgroupSize-th group of a channel, from the lane's own on.
fn sumsOfLane(channel: u32, lane: u32) -> vec2f {
  var sums = vec2f();
  for (var group = lane; group < geometry.groups; group += workgroupSize) {
    sums += partials[group * geometry.channels + channel];
  }
  return sums;
}

@compute @workgroup_size(workgroupSize)
fn mergeGradients(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var channel = tiles.first + group.x; channel < tiles.end; channel += groups.x) {
    workgroupSums[lane] = sumsOfLane(channel, lane);
    for (var half = workgroupSize / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (lane < half) { workgroupSums[lane] += workgroupSums[lane + half]; }
    }
    if (lane == 0u) {
      gammaGradient[channel] = workgroupSums[0].x;
      betaGradient[channel] = workgroupSums[0].y;
    }
    workgroupBarrier();
  }
}
