// Geometry that the convolution kernels share. Lengths in elements.

struct ConvGeometry {
  /// Images.
  batch: u32,
  /// Input [batch, inHeight, inWidth, inChannels].
  inHeight: u32,
  inWidth: u32,
  inChannels: u32,
  /// Output [batch, outHeight, outWidth, outChannels].
  outHeight: u32,
  outWidth: u32,
  outChannels: u32,
  /// Weight [kernelHeight, kernelWidth, inChannels, outChannels].
  kernelHeight: u32,
  kernelWidth: u32,
  /// Pixels from one tap position to the next, both ways.
  stride: u32,
  /// Zeros above and to the left of the input.
  padTop: u32,
  padLeft: u32,
  /// Output rows, all images together, in a slice of the weight gradient's sum.
  rowsPerSlice: u32,
  /// Slices of the weight gradient's sum.
  slices: u32,
  /// Strips of conv2d-strip.wgsl that a lane makes one after another.
  stripsPerLane: u32,
}

@group(0) @binding(0) var<uniform> geometry: ConvGeometry;

/// First of the last four channels: where a lane's second four start if there are no further ones.
fn lastQuad(channels: u32) -> u32 {
  return (channels - 1u) / 4u * 4u;
}
