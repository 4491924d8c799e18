// batchNorm.backwardStatistics, first of two calls: each group's sums of d and d x normalised
// input, d being outputGradient masked by output > 0 under ReLU.
// batch-norm-merge-gradients.wgsl adds the groups up.

/// Whether the activation is ReLU; else there is none.
override relu: bool;

/// [pixels, channels]
@group(0) @binding(1) var<storage, read> input: array<f32>;
/// [2, channels]: mean, inverse deviation.
@group(0) @binding(2) var<storage, read> statistics: array<f32>;
/// [pixels, channels]: what the activation gave; not read without ReLU.
@group(0) @binding(3) var<storage, read> output: array<f32>;
/// [pixels, channels]
@group(0) @binding(4) var<storage, read> outputGradient: array<f32>;
/// [groups, channels]: sum of d x normalised input, sum of d.
@group(0) @binding(5) var<storage, read_write> partials: array<vec2f>;

/// Lanes: group, channel (fastest).
fn sumsLane(lane: u32) {
  if (lane >= geometry.groups * geometry.channels) { return; }
  let channel = lane % geometry.channels;
  let mean = statistics[channel];
  let inverseDeviation = statistics[geometry.channels + channel];
  let step = geometry.groups * geometry.channels;
  let end = geometry.pixels * geometry.channels;
  var sums = vec2f();
  for (var element = lane; element < end; element += step) {
    var d = outputGradient[element];
    if (relu) { d = select(0.0, d, output[element] > 0.0); }
    let normalised = (input[element] - mean) * inverseDeviation;
    sums += vec2f(d * normalised, d);
  }
  partials[lane] = sums;
}

@compute @workgroup_size(workgroupSize)
fn backwardStatistics(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    sumsLane(tile * workgroupSize + lane);
  }
}
