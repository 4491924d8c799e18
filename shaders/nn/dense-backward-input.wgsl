// dense.backwardInput: inputGradient[image][i] = sum over o of outputGradient[image][o] weight[i][o]

/// [batch, outFeatures]
@group(0) @binding(1) var<storage, read> outputGradient: array<f32>;
/// [inFeatures, outFeatures]
@group(0) @binding(2) var<storage, read> weight: array<f32>;
/// [batch, inFeatures]
@group(0) @binding(3) var<storage, read_write> inputGradient: array<f32>;

/// Lanes: image, input feature (fastest).
fn backwardLane(lane: u32) {
  let image = lane / geometry.inFeatures;
  let i = lane % geometry.inFeatures;
  if (image >= geometry.batch) { return; }
  var sum = 0.0;
  for (var o = 0u; o < geometry.outFeatures; o++) {
    sum = fma(
      outputGradient[image * geometry.outFeatures + o],
      weight[i * geometry.outFeatures + o],
      sum,
    );
  }
  inputGradient[lane] = sum;
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
