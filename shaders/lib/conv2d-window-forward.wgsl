// Which taps a tile of conv2d-tile.wgsl meets in the forward pass.

fn resultSize() -> ResultSize {
  return ResultSize(geometry.outHeight, geometry.outWidth, geometry.outChannels, 1u);
}

/// Where result pixel (y, x) of the one phase lies.
fn resultPixel(phase: u32, y: u32, x: u32) -> vec2u {
  return vec2u(y, x);
}

/// Tap rows and columns of a phase.
fn tapsOf(phase: u32) -> vec2u {
  return vec2u(geometry.kernelHeight, geometry.kernelWidth);
}

fn windowOf(phase: u32, y: u32, x: u32) -> Window {
  let row = i32(y * geometry.stride) - i32(geometry.padTop);
  let below = (rows - 1u) * geometry.stride;
  return Window(
    row,
    u32(max(-row - i32(below), 0)),
    u32(clamp(i32(geometry.inHeight) - row, 0, i32(geometry.kernelHeight))),
    i32(x * geometry.stride) - i32(geometry.padLeft),
    geometry.kernelWidth,
    vec2u(),
  );
}

/// The left row of result row `r` of a tile at its tap row `t`, likewise columns.
fn leftAt(first: i32, r: u32, t: u32) -> i32 {
  return first + i32(r * geometry.stride + t);
}

/// The weight's tap at tap row or column `t` of a window.
fn tapAt(first: u32, t: u32) -> u32 {
  return first + t;
}
