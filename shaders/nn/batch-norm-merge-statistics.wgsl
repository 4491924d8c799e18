// batchNorm.statistics, second of two calls: merges the groups' (count, mean, squared deviations)
// pairwise into each channel's mean and inverse deviation. One workgroup, and tile, a channel.
// The first call is batch-norm-statistics.wgsl, or the convolution that made the pixels.
//
// Chan, Golub and LeVeque 1979: Updating formulae and a pairwise algorithm for computing sample
// variances.

/// [groups, 3, channels]: pixels, their mean, sum of squared deviations from it.
@group(0) @binding(1) var<storage, read> partials: array<f32>;
/// [2, channels]: mean, 1 / sqrt(biased variance + epsilon).
@group(0) @binding(2) var<storage, read_write> statistics: array<f32>;

/// What is known of some of a channel's pixels.
struct Moments {
  count: f32,
  mean: f32,
  /// Sum of squared deviations from the mean.
  squares: f32,
}

var<workgroup> workgroupMoments: array<Moments, workgroupSize>;

fn merged(a: Moments, b: Moments) -> Moments {
  let count = a.count + b.count;
  if (count == 0.0) { return Moments(); }
  let share = b.count / count;
  let difference = b.mean - a.mean;
  return Moments(
    count,
    a.mean + difference * share,
    a.squares + b.squares + difference * difference * a.count * share,
  );
}

/// Merges every workgroupSize-th group of a channel, from the lane's own on.
fn momentsOfLane(channel: u32, lane: u32) -> Moments {
  var moments = Moments();
  for (var group = lane; group < geometry.groups; group += workgroupSize) {
    let element = group * 3u * geometry.channels + channel;
    let count = partials[element];
    let mean = partials[element + geometry.channels];
    let squares = partials[element + 2u * geometry.channels];
    moments = merged(moments, Moments(count, mean, squares));
  }
  return moments;
}

@compute @workgroup_size(workgroupSize)
fn mergeStatistics(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var channel = tiles.first + group.x; channel < tiles.end; channel += groups.x) {
    workgroupMoments[lane] = momentsOfLane(channel, lane);
    for (var half = workgroupSize / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (lane < half) {
        workgroupMoments[lane] = merged(workgroupMoments[lane], workgroupMoments[lane + half]);
      }
    }
    if (lane == 0u) {
      let moments = workgroupMoments[0];
      statistics[channel] = moments.mean;
      statistics[geometry.channels + channel] =
        inverseSqrt(moments.squares / moments.count + geometry.epsilon);
    }
    workgroupBarrier();
  }
}
