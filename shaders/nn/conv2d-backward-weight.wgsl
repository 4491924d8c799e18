// conv2d.backwardWeight, first of two calls: partial sums of
// weightGradient[tap][i][o] = sum over output pixels of input[pixel + tap][i] outputGradient[pixel][o]
//
// Bindings: left = input, right = outputGradient, result = partials [slices][weight].
//
// The sum over pixels is long and the gradient small, so the sum is split into slices of whole
// output rows: each lane makes eight rows of the weight (elements of a run of taps and their
// channels) by eight output channels over one slice. sum-slices.wgsl adds the slices up.

/// Eight output channels of one row of the weight: two columns of four.
alias Row = mat2x4f;

fn storeRow(element: u32, low: u32, value: Row) {
  let channels = geometry.outChannels;
  storeResult(element + low, value[0], channels - low);
  if (low + 4u < channels) { storeResult(element + low + 4u, value[1], channels - low - 4u); }
}

/// Makes eight rows by eight channels of one slice. Lanes: slice, row of taps, eight elements of
/// its run, eight channels (fastest).
fn backwardLane(lane: u32) {
  let run = geometry.kernelWidth * geometry.inChannels;
  let channelGroups = (geometry.outChannels + 7u) / 8u;
  let runGroups = (run + 7u) / 8u;
  let low = lane % channelGroups * 8u;
  let high = min(low + 4u, lastQuad(geometry.outChannels));
  let k = lane / channelGroups % runGroups * 8u;
  let kHigh = min(k + 4u, lastQuad(run));
  let tapRow = lane / channelGroups / runGroups % geometry.kernelHeight;
  let slice = lane / channelGroups / runGroups / geometry.kernelHeight;
  if (slice >= geometry.slices) { return; }

  let channels = geometry.outChannels;
  let rowLength = geometry.inWidth * geometry.inChannels;
  let step = i32(geometry.stride * geometry.inChannels);
  let left0 = i32(k) - i32(geometry.padLeft * geometry.inChannels);
  let leftHigh = i32(kHigh) - i32(geometry.padLeft * geometry.inChannels);
  let lastImageRow = min((slice + 1u) * geometry.rowsPerSlice, geometry.batch * geometry.outHeight);
  var r0 = Row(); var r1 = Row(); var r2 = Row(); var r3 = Row();
  var r4 = Row(); var r5 = Row(); var r6 = Row(); var r7 = Row();
  for (var imageRow = slice * geometry.rowsPerSlice; imageRow < lastImageRow; imageRow++) {
    let image = imageRow / geometry.outHeight;
    let y = imageRow % geometry.outHeight;
    let inY = i32(y * geometry.stride + tapRow) - i32(geometry.padTop);
    if (inY < 0 || inY >= i32(geometry.inHeight)) { continue; }
    let row = (image * geometry.inHeight + u32(inY)) * rowLength;
    // Short sums round less: a row is added up by itself.
    var s0 = Row(); var s1 = Row(); var s2 = Row(); var s3 = Row();
    var s4 = Row(); var s5 = Row(); var s6 = Row(); var s7 = Row();
    var at = 0;
    var gradientAt = imageRow * geometry.outWidth * channels;
    for (var x = 0u; x < geometry.outWidth; x++) {
      let inputs = loadLeft(row, left0 + at, rowLength, run - k);
      let inputsHigh = loadLeft(row, leftHigh + at, rowLength, run - kHigh);
      let gradients = Row(
        loadRight(gradientAt + low, channels - low),
        loadRight(gradientAt + high, channels - high),
      );
      s0 += gradients * inputs.x;
      s1 += gradients * inputs.y;
      s2 += gradients * inputs.z;
      s3 += gradients * inputs.w;
      s4 += gradients * inputsHigh.x;
      s5 += gradients * inputsHigh.y;
      s6 += gradients * inputsHigh.z;
      s7 += gradients * inputsHigh.w;
      at += step;
      gradientAt += channels;
    }
    r0 += s0; r1 += s1; r2 += s2; r3 += s3;
    r4 += s4; r5 += s5; r6 += s6; r7 += s7;
  }

  let element = ((slice * geometry.kernelHeight + tapRow) * run + k) * channels;
  storeRow(element, low, r0);
  if (k + 1u < run) { storeRow(element + channels, low, r1); }
  if (k + 2u < run) { storeRow(element + 2u * channels, low, r2); }
  if (k + 3u < run) { storeRow(element + 3u * channels, low, r3); }
  if (k + 4u < run) { storeRow(element + 4u * channels, low, r4); }
  if (k + 5u < run) { storeRow(element + 5u * channels, low, r5); }
  if (k + 6u < run) { storeRow(element + 6u * channels, low, r6); }
  if (k + 7u < run) { storeRow(element + 7u * channels, low, r7); }
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
