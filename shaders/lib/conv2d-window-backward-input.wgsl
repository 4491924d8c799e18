// Which taps a tile of conv2d-tile.wgsl meets in the backward pass to the input.
//
// Input pixels that lie a stride apart meet the same taps: they are of one phase. A phase is a
// stride-1 convolution of its own whose taps run backwards.

/// Phases at the image's edge may be a pixel short: those pixels are not stored.
fn resultSize() -> ResultSize {
  let stride = geometry.stride;
  return ResultSize(
    (geometry.inHeight + stride - 1u) / stride,
    (geometry.inWidth + stride - 1u) / stride,
    geometry.inChannels,
    stride * stride,
  );
}

/// Where pixel (y, x) of a phase lies in the image.
fn resultPixel(phase: u32, y: u32, x: u32) -> vec2u {
  return vec2u(y, x) * geometry.stride + vec2u(phase / geometry.stride, phase % geometry.stride);
}

/// The weight's row and column at tap row and column 0 of a phase.
fn firstTapOf(phase: u32) -> vec2u {
  return (resultPixel(phase, 0u, 0u) + vec2u(geometry.padTop, geometry.padLeft)) % geometry.stride;
}

/// Tap rows and columns of a phase.
fn tapsOf(phase: u32) -> vec2u {
  let beyond = vec2u(geometry.kernelHeight, geometry.kernelWidth) + geometry.stride - 1u;
  return (beyond - firstTapOf(phase)) / geometry.stride;
}

fn windowOf(phase: u32, y: u32, x: u32) -> Window {
  let at = resultPixel(phase, y, x) + vec2u(geometry.padTop, geometry.padLeft);
  let first = firstTapOf(phase);
  let count = tapsOf(phase);
  let last = vec2i((at - first) / geometry.stride);
  return Window(
    last.x,
    u32(max(last.x - i32(geometry.outHeight) + 1, 0)),
    u32(clamp(last.x + i32(rows), 0, i32(count.x))),
    last.y,
    count.y,
    first,
  );
}

fn leftAt(first: i32, r: u32, t: u32) -> i32 {
  return first + i32(r) - i32(t);
}

fn tapAt(first: u32, t: u32) -> u32 {
  return first + t * geometry.stride;
}
