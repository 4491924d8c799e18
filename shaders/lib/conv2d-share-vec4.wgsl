// Pixels that the four lanes of a quad use alike, loaded by each of them, four channels at a time:
// their channels are a multiple of four. The functions are those of conv2d-share-quad.wgsl.

@group(0) @binding(1) var<storage, read> left: array<vec4f>;

alias Shared = vec4f;
const depth = 4u;

fn loadShared(row: u32, inside: bool, column: i32, k: u32, member: u32, size: LeftSize) -> Shared {
  let wanted = inside & (column >= 0) & (column < i32(size.width));
  let pixel = u32(clamp(column, 0, i32(size.width) - 1));
  return loadElement(row + pixel * size.channels + k, wanted);
}

fn sharedChannel(k: u32, member: u32, size: LeftSize) -> u32 {
  return min(k, size.channels - 4u);
}

fn loadElement(element: u32, wanted: bool) -> Shared {
  return select(vec4f(), left[element / 4u], wanted);
}

fn partChannel(part: u32, member: u32) -> u32 { return part; }

fn part0(x: Shared) -> f32 { return x.x; }
fn part1(x: Shared) -> f32 { return x.y; }
fn part2(x: Shared) -> f32 { return x.z; }
fn part3(x: Shared) -> f32 { return x.w; }
