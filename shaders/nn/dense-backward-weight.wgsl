// dense.backwardWeight:
// weightGradient[i][o] = sum over images of input[image][i] outputGradient[image][o]
// biasGradient[o] = sum over images of outputGradient[image][o]

/// [batch, inFeatures]
@group(0) @binding(1) var<storage, read> input: array<f32>;
/// [batch, outFeatures]
@group(0) @binding(2) var<storage, read> outputGradient: array<f32>;
/// [inFeatures, outFeatures]
@group(0) @binding(3) var<storage, read_write> weightGradient: array<f32>;
/// [outFeatures]
@group(0) @binding(4) var<storage, read_write> biasGradient: array<f32>;

/// Lanes: row of the weight and then the bias, output feature (fastest).
fn backwardLane(lane: u32) {
  let row = lane / geometry.outFeatures;
  let o = lane % geometry.outFeatures;
  if (row > geometry.inFeatures) { return; }
  var sum = 0.0;
  if (row == geometry.inFeatures) {
    for (var image = 0u; image < geometry.batch; image++) {
      sum += outputGradient[image * geometry.outFeatures + o];
    }
    biasGradient[o] = sum;
    return;
  }
  for (var image = 0u; image < geometry.batch; image++) {
    sum = fma(
      input[image * geometry.inFeatures + row],
      outputGradient[image * geometry.outFeatures + o],
      sum,
    );
  }
  weightGradient[lane] = sum;
}

@compute @workgroup_size(workgroupSize)
fn backwardWeight(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    backwardLane(tile * workgroupSize + lane);
  }
}
