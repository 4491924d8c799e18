// The tensors of the backward pass to the input: left = the output's gradient, result = the input's
// gradient.

fn leftSize() -> LeftSize {
  return LeftSize(geometry.outHeight, geometry.outWidth, geometry.outChannels);
}

/// Height and width of the result.
fn resultImage() -> vec2u {
  return vec2u(geometry.inHeight, geometry.inWidth);
}

fn resultChannels() -> u32 {
  return geometry.inChannels;
}

/// Element of the weight for a channel `k` that is summed over.
fn weightRow(tap: u32, k: u32) -> u32 {
  return tap * geometry.inChannels * geometry.outChannels + k;
}

/// What a result channel adds to it.
fn weightColumn(channel: u32) -> u32 {
  return channel * geometry.outChannels;
}
