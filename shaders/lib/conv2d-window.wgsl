// What the directions of a convolution (conv2d-window-*.wgsl) tell the kernels that know none: the
// sizes of the two tensors with pixels, and which taps a tile of the result meets.

/// How much of the tensor with padding is there: input, or the output's gradient.
struct LeftSize {
  height: u32,
  width: u32,
  channels: u32,
}

struct ResultSize {
  /// Of one phase.
  height: u32,
  width: u32,
  channels: u32,
  phases: u32,
}

/// The taps of a tile.
struct Window {
  /// Left row that the tile's first row meets at tap row 0, and its tap rows that matter.
  row: i32,
  firstTapRow: u32,
  endTapRow: u32,
  /// Left column that the tile's first pixel meets at tap column 0; tap columns.
  column: i32,
  tapColumns: u32,
  /// The weight's row and column at tap row and column 0.
  firstTap: vec2u,
}
