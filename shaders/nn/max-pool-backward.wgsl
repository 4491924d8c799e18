// maxPool.backward: every pixel takes the gradients of the windows that it won.

/// [batch, outHeight, outWidth, channels]
@group(0) @binding(1) var<storage, read> outputGradient: array<f32>;
/// Like the output: which tap won, ky kernelWidth + kx.
@group(0) @binding(2) var<storage, read> taps: array<f32>;
/// [batch, inHeight, inWidth, channels]
@group(0) @binding(3) var<storage, read_write> inputGradient: array<f32>;

/// Lanes: elements of the input. Each gathers from the windows over it, so nothing is added in turns.
fn winnerLane(lane: u32) {
  if (lane >= inputLength()) { return; }
  let at = placeOf(lane, geometry.inHeight, geometry.inWidth);
  let rows = windowsOver(at.y, geometry.padTop, geometry.kernelHeight, geometry.outHeight);
  let columns = windowsOver(at.x, geometry.padLeft, geometry.kernelWidth, geometry.outWidth);
  var sum = 0.0;
  for (var y = rows.x; y < rows.y; y++) {
    for (var x = columns.x; x < columns.y; x++) {
      let ky = at.y + geometry.padTop - y * geometry.stride;
      let kx = at.x + geometry.padLeft - x * geometry.stride;
      let window = outputElement(at.image, y, x, at.channel);
      if (u32(taps[window]) == ky * geometry.kernelWidth + kx) { sum += outputGradient[window]; }
    }
  }
  inputGradient[lane] = sum;
}

@compute @workgroup_size(workgroupSize)
fn maxPoolBackward(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    winnerLane(tile * workgroupSize + lane);
  }
}
