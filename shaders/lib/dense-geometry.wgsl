// Geometry that the dense layer's kernels share. Lengths in elements.

struct DenseGeometry {
  /// Images.
  batch: u32,
  /// Input [batch, inFeatures].
  inFeatures: u32,
  /// Output [batch, outFeatures]; weight [inFeatures, outFeatures], bias [outFeatures].
  outFeatures: u32,
}

@group(0) @binding(0) var<uniform> geometry: DenseGeometry;
