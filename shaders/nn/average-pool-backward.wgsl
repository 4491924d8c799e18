// averagePool.backward: every pixel takes its share of the gradients of the windows over it.

/// [batch, outHeight, outWidth, channels]
@group(0) @binding(1) var<storage, read> outputGradient: array<f32>;
/// [batch, inHeight, inWidth, channels]
@group(0) @binding(2) var<storage, read_write> inputGradient: array<f32>;

/// Lanes: elements of the input. Each gathers from the windows over it, so nothing is added in turns.
fn shareLane(lane: u32) {
  if (lane >= inputLength()) { return; }
  let at = placeOf(lane, geometry.inHeight, geometry.inWidth);
  let rows = windowsOver(at.y, geometry.padTop, geometry.kernelHeight, geometry.outHeight);
  let columns = windowsOver(at.x, geometry.padLeft, geometry.kernelWidth, geometry.outWidth);
  var sum = 0.0;
  for (var y = rows.x; y < rows.y; y++) {
    for (var x = columns.x; x < columns.y; x++) {
      sum += outputGradient[outputElement(at.image, y, x, at.channel)];
    }
  }
  inputGradient[lane] = sum / f32(geometry.kernelHeight * geometry.kernelWidth);
}

@compute @workgroup_size(workgroupSize)
fn averageWindowBackward(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    shareLane(tile * workgroupSize + lane);
  }
}
