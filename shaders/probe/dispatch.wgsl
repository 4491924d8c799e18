// Launch overhead: next to no work, but every dispatch must wait for the one before it.
@group(0) @binding(0) var<storage, read_write> dispatches: u32;

@compute @workgroup_size(1)
fn main() {
  dispatches += 1u;
}
