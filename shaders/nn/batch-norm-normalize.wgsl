// batchNorm.normalize:
// output = activation(gamma (input - mean) inverseDeviation + beta + residual)

/// Whether the activation is ReLU; else there is none.
override relu: bool;
/// Whether another branch is added before the activation.
override hasResidual: bool;

/// [pixels, channels]
@group(0) @binding(1) var<storage, read> input: array<f32>;
/// [2, channels]: mean, inverse deviation.
@group(0) @binding(2) var<storage, read> statistics: array<f32>;
/// [channels]
@group(0) @binding(3) var<storage, read> gamma: array<f32>;
/// [channels]
@group(0) @binding(4) var<storage, read> beta: array<f32>;
/// [pixels, channels]; not read without a residual.
@group(0) @binding(5) var<storage, read> residual: array<f32>;
/// [pixels, channels]
@group(0) @binding(6) var<storage, read_write> output: array<f32>;

/// Lanes: group, channel (fastest).
fn normalizeLane(lane: u32) {
  if (lane >= geometry.groups * geometry.channels) { return; }
  let channel = lane % geometry.channels;
  let mean = statistics[channel];
  let inverseDeviation = statistics[geometry.channels + channel];
  let scale = gamma[channel];
  let shift = beta[channel];
  let step = geometry.groups * geometry.channels;
  let end = geometry.pixels * geometry.channels;
  for (var element = lane; element < end; element += step) {
    var value = fma((input[element] - mean) * inverseDeviation, scale, shift);
    if (hasResidual) { value += residual[element]; }
    if (relu) { value = max(value, 0.0); }
    output[element] = value;
  }
}

@compute @workgroup_size(workgroupSize)
fn normalizeInput(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    normalizeLane(tile * workgroupSize + lane);
  }
}
