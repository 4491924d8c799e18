// maxPool.forward: output = the largest of the window, taps = which tap that was. Padding is never
// the largest; of equal values the first in row order wins.

/// [batch, inHeight, inWidth, channels]
@group(0) @binding(1) var<storage, read> input: array<f32>;
/// [batch, outHeight, outWidth, channels]
@group(0) @binding(2) var<storage, read_write> output: array<f32>;
/// Like the output: ky kernelWidth + kx.
@group(0) @binding(3) var<storage, read_write> taps: array<f32>;

/// Lanes: elements of the output.
fn largestLane(lane: u32) {
  if (lane >= outputLength()) { return; }
  let at = placeOf(lane, geometry.outHeight, geometry.outWidth);
  var isFirst = true;
  var largest = 0.0;
  var winner = 0u;
  for (var ky = 0u; ky < geometry.kernelHeight; ky++) {
    let y = at.y * geometry.stride + ky;
    if (y < geometry.padTop || y - geometry.padTop >= geometry.inHeight) { continue; }
    for (var kx = 0u; kx < geometry.kernelWidth; kx++) {
      let x = at.x * geometry.stride + kx;
      if (x < geometry.padLeft || x - geometry.padLeft >= geometry.inWidth) { continue; }
      let value = input[inputElement(at.image, y - geometry.padTop, x - geometry.padLeft, at.channel)];
      if (isFirst || value > largest) {
        largest = value;
        winner = ky * geometry.kernelWidth + kx;
        isFirst = false;
      }
    }
  }
  output[lane] = largest;
  taps[lane] = f32(winner);
}

@compute @workgroup_size(workgroupSize)
fn maxPool(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    largestLane(tile * workgroupSize + lane);
  }
}
