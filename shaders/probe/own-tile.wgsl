// A workgroup's elements are copied to workgroup memory once a dispatch. The prelude has tileLength,
// which is the share.
var<workgroup> tile: array<Element, tileLength>;

fn prepare(start: u32, local: u32) {
  for (var at = local; at < tileLength; at += workgroupSize) {
    tile[at] = source[start + at];
  }
  workgroupBarrier();
}

fn load(start: u32, at: u32) -> Element {
  return tile[at];
}
