// A workgroup's elements are a part of the source: they live in whatever cache they fit.
fn prepare(start: u32, local: u32) {
}

fn load(start: u32, at: u32) -> Element {
  return source[start + at];
}
