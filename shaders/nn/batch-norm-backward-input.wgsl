// batchNorm.backwardInput, d being outputGradient masked by output > 0 under ReLU:
// inputGradient = gamma inverseDeviation (d - mean of d - normalised x mean of (d x normalised))
// residualGradient = d
//
// The means are what the input does through the batch's own mean and variance: betaGradient and
// gammaGradient over the pixels (Ioffe and Szegedy 2015, section 3). Both lie in one binding: a
// stage has eight storage buffers at the least.

/// Whether the activation is ReLU; else there is none.
override relu: bool;
/// Whether the residual branch gets its gradient.
override hasResidual: bool;
/// Where the two gradients start in their binding.
override gammaGradientAt: u32;
override betaGradientAt: u32;

/// [pixels, channels]
@group(0) @binding(1) var<storage, read> input: array<f32>;
/// [2, channels]: mean, inverse deviation.
@group(0) @binding(2) var<storage, read> statistics: array<f32>;
/// [channels]
@group(0) @binding(3) var<storage, read> gamma: array<f32>;
/// [pixels, channels]: what the activation gave; not read without ReLU.
@group(0) @binding(4) var<storage, read> output: array<f32>;
/// [pixels, channels]
@group(0) @binding(5) var<storage, read> outputGradient: array<f32>;
/// gammaGradient [channels] and betaGradient [channels].
@group(0) @binding(6) var<storage, read> gradients: array<f32>;
/// [pixels, channels]
@group(0) @binding(7) var<storage, read_write> inputGradient: array<f32>;
/// [pixels, channels]; not written without a residual.
@group(0) @binding(8) var<storage, read_write> residualGradient: array<f32>;

/// Lanes: group, channel (fastest).
fn backwardLane(lane: u32) {
  if (lane >= geometry.groups * geometry.channels) { return; }
  let channel = lane % geometry.channels;
  let mean = statistics[channel];
  let inverseDeviation = statistics[geometry.channels + channel];
  let scale = gamma[channel] * inverseDeviation;
  let meanProduct = gradients[gammaGradientAt + channel] / f32(geometry.pixels);
  let meanGradient = gradients[betaGradientAt + channel] / f32(geometry.pixels);
  let step = geometry.groups * geometry.channels;
  let end = geometry.pixels * geometry.channels;
  for (var element = lane; element < end; element += step) {
    var d = outputGradient[element];
    if (relu) { d = select(0.0, d, output[element] > 0.0); }
    let normalised = (input[element] - mean) * inverseDeviation;
    inputGradient[element] = scale * (d - meanGradient - normalised * meanProduct);
    if (hasResidual) { residualGradient[element] = d; }
  }
}

@compute @workgroup_size(workgroupSize)
fn backwardInput(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    backwardLane(tile * workgroupSize + lane);
  }
}
