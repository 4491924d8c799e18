// The tensors of the forward pass: left = input, result = output.

fn leftSize() -> LeftSize {
  return LeftSize(geometry.inHeight, geometry.inWidth, geometry.inChannels);
}

/// Height and width of the result.
fn resultImage() -> vec2u {
  return vec2u(geometry.outHeight, geometry.outWidth);
}

fn resultChannels() -> u32 {
  return geometry.outChannels;
}

/// Element of the weight for a channel `k` that is summed over.
fn weightRow(tap: u32, k: u32) -> u32 {
  return (tap * geometry.inChannels + k) * geometry.outChannels;
}

/// What a result channel adds to it.
fn weightColumn(channel: u32) -> u32 {
  return channel;
}
