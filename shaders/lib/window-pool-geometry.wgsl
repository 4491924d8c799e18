// Geometry that the window pooling kernels share. Output pixel (y, x) meets the input rows
// y stride - padTop + ky, ky below kernelHeight, and columns likewise; those outside the image are
// padding.

struct WindowPoolGeometry {
  /// Images.
  batch: u32,
  inHeight: u32,
  inWidth: u32,
  outHeight: u32,
  outWidth: u32,
  kernelHeight: u32,
  kernelWidth: u32,
  stride: u32,
  padTop: u32,
  padLeft: u32,
  channels: u32,
}

@group(0) @binding(0) var<uniform> geometry: WindowPoolGeometry;

/// Where a lane works: an element of an image tensor, [batch, height, width, channels].
struct Place {
  image: u32,
  y: u32,
  x: u32,
  channel: u32,
}

/// The place of an element in images of so many rows and columns.
fn placeOf(element: u32, height: u32, width: u32) -> Place {
  let pixel = element / geometry.channels;
  let row = pixel / width;
  return Place(row / height, row % height, pixel % width, element % geometry.channels);
}

fn inputElement(image: u32, y: u32, x: u32, channel: u32) -> u32 {
  return ((image * geometry.inHeight + y) * geometry.inWidth + x) * geometry.channels + channel;
}

fn outputElement(image: u32, y: u32, x: u32, channel: u32) -> u32 {
  return ((image * geometry.outHeight + y) * geometry.outWidth + x) * geometry.channels + channel;
}

fn inputLength() -> u32 {
  return geometry.batch * geometry.inHeight * geometry.inWidth * geometry.channels;
}

fn outputLength() -> u32 {
  return geometry.batch * geometry.outHeight * geometry.outWidth * geometry.channels;
}

/// Rows or columns of windows, [first, end), that meet an input row or column.
fn windowsOver(at: u32, pad: u32, kernelLength: u32, windows: u32) -> vec2u {
  let shifted = at + pad;
  let first = select(0u, (shifted - kernelLength) / geometry.stride + 1u, shifted >= kernelLength);
  return vec2u(first, min(shifted / geometry.stride + 1u, windows));
}
