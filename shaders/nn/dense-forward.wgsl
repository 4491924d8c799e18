// dense.forward: output[image][o] = bias[o] + sum over i of input[image][i] weight[i][o]

/// [batch, inFeatures]
@group(0) @binding(1) var<storage, read> input: array<f32>;
/// [inFeatures, outFeatures]
@group(0) @binding(2) var<storage, read> weight: array<f32>;
/// [outFeatures]
@group(0) @binding(3) var<storage, read> bias: array<f32>;
/// [batch, outFeatures]
@group(0) @binding(4) var<storage, read_write> output: array<f32>;

/// Lanes: image, output feature (fastest).
fn forwardLane(lane: u32) {
  let image = lane / geometry.outFeatures;
  let o = lane % geometry.outFeatures;
  if (image >= geometry.batch) { return; }
  var sum = bias[o];
  for (var i = 0u; i < geometry.inFeatures; i++) {
    sum = fma(input[image * geometry.inFeatures + i], weight[i * geometry.outFeatures + o], sum);
  }
  output[lane] = sum;
}

@compute @workgroup_size(workgroupSize)
fn forward(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    forwardLane(tile * workgroupSize + lane);
  }
}
