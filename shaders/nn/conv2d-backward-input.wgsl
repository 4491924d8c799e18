// conv2d.backwardInput:
// inputGradient[pixel][i] = sum over taps and o of outputGradient[pixel - tap][o] weight[tap][i][o]
// (+ addend[pixel][i])
//
// Bindings: left = outputGradient, right = weight, result = inputGradient, addend.
//
// The gradient is gathered, never scattered: each lane makes eight input channels of eight input
// pixels that lie a stride apart in one row. Such pixels meet the same taps (they are of one
// phase), and a tap takes them to eight neighbouring output pixels, so a stride wastes no products.

/// Whether another branch's gradient is added.
override hasAddend: bool;

/// Eight input channels of one pixel: two columns of four.
alias Pixel = mat2x4f;

/// Four output channels (down) of eight rows of the weight, one row an input channel (across).
struct Weights {
  low: mat4x4f,
  high: mat4x4f,
}

fn loadFourRows(row: u32, lastRow: u32, channel: u32) -> mat4x4f {
  let channels = geometry.outChannels;
  let count = channels - channel;
  return mat4x4f(
    loadRight(row * channels + channel, count),
    loadRight(min(row + 1u, lastRow) * channels + channel, count),
    loadRight(min(row + 2u, lastRow) * channels + channel, count),
    loadRight(min(row + 3u, lastRow) * channels + channel, count),
  );
}

/// Four output gradients of a pixel times the weight: one dot product an input channel.
fn products(gradients: vec4f, weights: Weights) -> Pixel {
  return Pixel(gradients * weights.low, gradients * weights.high);
}

fn storeFour(element: u32, value: vec4f, count: u32) {
  if (hasAddend) {
    storeResult(element, value + loadAddend(element, count), count);
  } else {
    storeResult(element, value, count);
  }
}

fn storePixel(row: u32, x: u32, low: u32, value: Pixel) {
  if (x >= geometry.inWidth) { return; }
  let channels = geometry.inChannels;
  let element = (row + x) * channels + low;
  storeFour(element, value[0], channels - low);
  if (low + 4u < channels) { storeFour(element + 4u, value[1], channels - low - 4u); }
}

/// Makes eight pixels by eight channels. Lanes: phase, image, row, eight pixels, eight channels
/// (fastest).
fn backwardLane(lane: u32) {
  let stride = geometry.stride;
  let channelGroups = (geometry.inChannels + 7u) / 8u;
  let phaseWidth = (geometry.inWidth + stride - 1u) / stride;
  let phaseHeight = (geometry.inHeight + stride - 1u) / stride;
  let pixelGroups = (phaseWidth + 7u) / 8u;
  let low = lane % channelGroups * 8u;
  let high = min(low + 4u, lastQuad(geometry.inChannels));
  let column = lane / channelGroups % pixelGroups * 8u;
  let phaseRow = lane / channelGroups / pixelGroups;
  let image = phaseRow / phaseHeight % geometry.batch;
  let phase = phaseRow / phaseHeight / geometry.batch;
  let y = phaseRow % phaseHeight * stride + phase / stride;
  let x = column * stride + phase % stride;
  if (phase >= stride * stride || y >= geometry.inHeight || x >= geometry.inWidth) { return; }

  let rowLength = geometry.outWidth * geometry.outChannels;
  let step = i32(geometry.outChannels);
  var p0 = Pixel(); var p1 = Pixel(); var p2 = Pixel(); var p3 = Pixel();
  var p4 = Pixel(); var p5 = Pixel(); var p6 = Pixel(); var p7 = Pixel();
  for (var ky = (y + geometry.padTop) % stride; ky < geometry.kernelHeight; ky += stride) {
    let outY = (i32(y + geometry.padTop) - i32(ky)) / i32(stride);
    if (outY < 0 || outY >= i32(geometry.outHeight)) { continue; }
    let row = (image * geometry.outHeight + u32(outY)) * rowLength;
    for (var kx = (x + geometry.padLeft) % stride; kx < geometry.kernelWidth; kx += stride) {
      let first = (i32(x + geometry.padLeft) - i32(kx)) / i32(stride) * step;
      let tap = (ky * geometry.kernelWidth + kx) * geometry.inChannels;
      let lastRow = tap + geometry.inChannels - 1u;
      // Short sums round less: a tap is added up by itself.
      var s0 = Pixel(); var s1 = Pixel(); var s2 = Pixel(); var s3 = Pixel();
      var s4 = Pixel(); var s5 = Pixel(); var s6 = Pixel(); var s7 = Pixel();
      for (var channel = 0u; channel < geometry.outChannels; channel += 4u) {
        let weights = Weights(
          loadFourRows(tap + low, lastRow, channel),
          loadFourRows(tap + high, lastRow, channel),
        );
        let at = first + i32(channel);
        let count = geometry.outChannels - channel;
        s0 += products(loadLeft(row, at, rowLength, count), weights);
        s1 += products(loadLeft(row, at + step, rowLength, count), weights);
        s2 += products(loadLeft(row, at + 2 * step, rowLength, count), weights);
        s3 += products(loadLeft(row, at + 3 * step, rowLength, count), weights);
        s4 += products(loadLeft(row, at + 4 * step, rowLength, count), weights);
        s5 += products(loadLeft(row, at + 5 * step, rowLength, count), weights);
        s6 += products(loadLeft(row, at + 6 * step, rowLength, count), weights);
        s7 += products(loadLeft(row, at + 7 * step, rowLength, count), weights);
      }
      p0 += s0; p1 += s1; p2 += s2; p3 += s3;
      p4 += s4; p5 += s5; p6 += s6; p7 += s7;
    }
  }

  let inRow = (image * geometry.inHeight + y) * geometry.inWidth;
  storePixel(inRow, x, low, p0);
  storePixel(inRow, x + stride, low, p1);
  storePixel(inRow, x + 2u * stride, low, p2);
  storePixel(inRow, x + 3u * stride, low, p3);
  storePixel(inRow, x + 4u * stride, low, p4);
  storePixel(inRow, x + 5u * stride, low, p5);
  storePixel(inRow, x + 6u * stride, low, p6);
  storePixel(inRow, x + 7u * stride, low, p7);
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
