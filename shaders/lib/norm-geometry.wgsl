// Geometry that the batch-norm kernels share. All walk [pixels, channels] alike: a lane keeps to
// one channel and takes every `groups`-th pixel, so that neighbouring lanes touch neighbouring
// elements.

struct NormGeometry {
  /// Images x height x width.
  pixels: u32,
  channels: u32,
  /// Lanes a channel; at most one a pixel.
  groups: u32,
  /// Added to the variance.
  epsilon: f32,
}

@group(0) @binding(0) var<uniform> geometry: NormGeometry;

/// Pixels of a group: `group`, `group` + groups, ...; at least one.
fn pixelsOf(group: u32) -> u32 {
  return (geometry.pixels - group + geometry.groups - 1u) / geometry.groups;
}
