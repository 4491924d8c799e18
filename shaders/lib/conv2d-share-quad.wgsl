// Pixels that the four lanes of a quad share: each lane loads another of four neighbouring channels,
// and the lanes swap them. The same functions for lanes that load all of them are in
// conv2d-share-scalar.wgsl and conv2d-share-vec4.wgsl.

/// The tensor with padding: input, or the output's gradient in the backward pass to the input.
@group(0) @binding(1) var<storage, read> left: array<f32>;

/// A lane's part of what its quad shares.
alias Shared = f32;
/// Channels of one load of the quad.
const depth = 4u;

/// Loads `depth` channels from channel `k` on of a pixel in a row that starts at element `row`;
/// outside the row, past its last channel and unless `inside` there are zeros. `member` is the
/// lane's number in its quad. No branches: they cost more than a load that is not needed.
fn loadShared(row: u32, inside: bool, column: i32, k: u32, member: u32, size: LeftSize) -> Shared {
  let wanted = inside & (column >= 0) & (column < i32(size.width)) & (k + member < size.channels);
  let pixel = u32(clamp(column, 0, i32(size.width) - 1));
  return loadElement(row + pixel * size.channels + sharedChannel(k, member, size), wanted);
}

/// Where in a pixel a lane's load of the channels from `k` on is: within the pixel in any case.
fn sharedChannel(k: u32, member: u32, size: LeftSize) -> u32 {
  return min(k + member, size.channels - 1u);
}

/// The load at an element that `sharedChannel` told; zeros unless `wanted`.
fn loadElement(element: u32, wanted: bool) -> Shared {
  return select(0.0, left[element], wanted);
}

/// Which of the load's channels a lane finds in its part of that number: each lane has them in an
/// order of its own, since a swap costs a fraction of a broadcast.
fn partChannel(part: u32, member: u32) -> u32 {
  return part ^ member;
}

fn part0(x: Shared) -> f32 { return x; }
fn part1(x: Shared) -> f32 { return quadSwapX(x); }
fn part2(x: Shared) -> f32 { return quadSwapY(x); }
fn part3(x: Shared) -> f32 { return quadSwapDiagonal(x); }
