// averagePool.forward: output = sum over the window / its taps, padding included as zeros.

/// [batch, inHeight, inWidth, channels]
@group(0) @binding(1) var<storage, read> input: array<f32>;
/// [batch, outHeight, outWidth, channels]
@group(0) @binding(2) var<storage, read_write> output: array<f32>;

/// Lanes: elements of the output.
fn meanLane(lane: u32) {
  if (lane >= outputLength()) { return; }
  let at = placeOf(lane, geometry.outHeight, geometry.outWidth);
  var sum = 0.0;
  for (var ky = 0u; ky < geometry.kernelHeight; ky++) {
    let y = at.y * geometry.stride + ky;
    if (y < geometry.padTop || y - geometry.padTop >= geometry.inHeight) { continue; }
    for (var kx = 0u; kx < geometry.kernelWidth; kx++) {
      let x = at.x * geometry.stride + kx;
      if (x < geometry.padLeft || x - geometry.padLeft >= geometry.inWidth) { continue; }
      sum += input[inputElement(at.image, y - geometry.padTop, x - geometry.padLeft, at.channel)];
    }
  }
  output[lane] = sum / f32(geometry.kernelHeight * geometry.kernelWidth);
}

@compute @workgroup_size(workgroupSize)
fn averageWindow(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    meanLane(tile * workgroupSize + lane);
  }
}
