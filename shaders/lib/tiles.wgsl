// The tile walk of every kernel of the training step.
//
// A call's work is cut into tiles of one workgroup each; how many there are follows from shapes
// alone. A dispatch walks a range of them grid-stride with whatever number of workgroups it was
// given, so a result cannot depend on that number.

/// The tiles that this dispatch walks: all of a call's, or a part where a call is cut for time.
struct TileRange {
  /// First tile.
  first: u32,
  /// One past the last tile.
  end: u32,
}

@group(1) @binding(0) var<uniform> tiles: TileRange;

/// Lanes of a workgroup; a power of two.
override workgroupSize: u32 = 64;
