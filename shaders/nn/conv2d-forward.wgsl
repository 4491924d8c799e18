// conv2d.forward: output[pixel][o] = sum over taps and i of input[pixel + tap][i] weight[tap][i][o]
//
// Bindings: left = input, right = weight, result = output.
//
// Implicit matrix product: each lane makes eight neighbouring output pixels of one row, eight
// output channels each, in registers. A row of taps with its channels is one run of elements both
// in the input and in the weight, so the inner loop walks that run four elements at a time.

/// Eight output channels of one pixel: two columns of four.
alias Pixel = mat2x4f;

/// Four consecutive rows of the weight, eight output channels of each.
struct Weights {
  low: mat4x4f,
  high: mat4x4f,
}

fn loadWeights(row: u32, lastRow: u32, low: u32, high: u32) -> Weights {
  let channels = geometry.outChannels;
  let at0 = row * channels;
  let at1 = min(row + 1u, lastRow) * channels;
  let at2 = min(row + 2u, lastRow) * channels;
  let at3 = min(row + 3u, lastRow) * channels;
  let lowCount = channels - low;
  let highCount = channels - high;
  return Weights(
    mat4x4f(
      loadRight(at0 + low, lowCount),
      loadRight(at1 + low, lowCount),
      loadRight(at2 + low, lowCount),
      loadRight(at3 + low, lowCount),
    ),
    mat4x4f(
      loadRight(at0 + high, highCount),
      loadRight(at1 + high, highCount),
      loadRight(at2 + high, highCount),
      loadRight(at3 + high, highCount),
    ),
  );
}

/// A sum and what its roundings lost (Kahan 1965).
struct Sum {
  value: Pixel,
  lost: Pixel,
}

fn plus(sum: Sum, term: Pixel) -> Sum {
  let corrected = term - sum.lost;
  let value = sum.value + corrected;
  return Sum(value, (value - sum.value) - corrected);
}

/// Four inputs of a pixel times their rows of the weight.
fn products(weights: Weights, inputs: vec4f) -> Pixel {
  return Pixel(weights.low * inputs, weights.high * inputs);
}

fn storePixel(pixel: u32, x: u32, low: u32, value: Pixel) {
  if (x >= geometry.outWidth) { return; }
  let channels = geometry.outChannels;
  let element = pixel * channels + low;
  storeResult(element, value[0], channels - low);
  if (low + 4u < channels) { storeResult(element + 4u, value[1], channels - low - 4u); }
}

/// Makes eight pixels by eight channels. Lanes: image, row, eight pixels, eight channels (fastest).
fn forwardLane(lane: u32) {
  let channelGroups = (geometry.outChannels + 7u) / 8u;
  let pixelGroups = (geometry.outWidth + 7u) / 8u;
  let low = lane % channelGroups * 8u;
  let high = min(low + 4u, lastQuad(geometry.outChannels));
  let x = lane / channelGroups % pixelGroups * 8u;
  let imageRow = lane / channelGroups / pixelGroups;
  let y = imageRow % geometry.outHeight;
  let image = imageRow / geometry.outHeight;
  if (image >= geometry.batch) { return; }

  let rowLength = geometry.inWidth * geometry.inChannels;
  let run = geometry.kernelWidth * geometry.inChannels;
  let step = i32(geometry.stride * geometry.inChannels);
  let first = i32(x) * step - i32(geometry.padLeft * geometry.inChannels);
  var p0 = Sum(); var p1 = Sum(); var p2 = Sum(); var p3 = Sum();
  var p4 = Sum(); var p5 = Sum(); var p6 = Sum(); var p7 = Sum();
  for (var tapRow = 0u; tapRow < geometry.kernelHeight; tapRow++) {
    let inY = i32(y * geometry.stride + tapRow) - i32(geometry.padTop);
    if (inY < 0 || inY >= i32(geometry.inHeight)) { continue; }
    let row = (image * geometry.inHeight + u32(inY)) * rowLength;
    let firstWeight = tapRow * run;
    for (var k = 0u; k < run; k += 4u) {
      let weights = loadWeights(firstWeight + k, firstWeight + run - 1u, low, high);
      let at = first + i32(k);
      let count = run - k;
      p0 = plus(p0, products(weights, loadLeft(row, at, rowLength, count)));
      p1 = plus(p1, products(weights, loadLeft(row, at + step, rowLength, count)));
      p2 = plus(p2, products(weights, loadLeft(row, at + 2 * step, rowLength, count)));
      p3 = plus(p3, products(weights, loadLeft(row, at + 3 * step, rowLength, count)));
      p4 = plus(p4, products(weights, loadLeft(row, at + 4 * step, rowLength, count)));
      p5 = plus(p5, products(weights, loadLeft(row, at + 5 * step, rowLength, count)));
      p6 = plus(p6, products(weights, loadLeft(row, at + 6 * step, rowLength, count)));
      p7 = plus(p7, products(weights, loadLeft(row, at + 7 * step, rowLength, count)));
    }
  }

  let pixel = imageRow * geometry.outWidth + x;
  storePixel(pixel, x, low, p0.value);
  storePixel(pixel + 1u, x + 1u, low, p1.value);
  storePixel(pixel + 2u, x + 2u, low, p2.value);
  storePixel(pixel + 3u, x + 3u, low, p3.value);
  storePixel(pixel + 4u, x + 4u, low, p4.value);
  storePixel(pixel + 5u, x + 5u, low, p5.value);
  storePixel(pixel + 6u, x + 6u, low, p6.value);
  storePixel(pixel + 7u, x + 7u, low, p7.value);
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
