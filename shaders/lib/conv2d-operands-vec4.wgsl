// Operands of a convolution kernel, four channels an access: all channel counts are multiples of
// four. The same functions for any channel count are in conv2d-operands-scalar.wgsl.

/// The tensor with padding: input, or the output's gradient in the backward pass to the input.
@group(0) @binding(1) var<storage, read> left: array<vec4f>;
/// The tensor without: weight, or the output's gradient in the backward pass to the weight.
@group(0) @binding(2) var<storage, read> right: array<vec4f>;
/// What the kernel makes.
@group(0) @binding(3) var<storage, read_write> result: array<vec4f>;
/// Another branch's gradient of the same tensor; only the backward pass to the input has it.
@group(0) @binding(4) var<storage, read> addend: array<vec4f>;

/// Four elements of a row of `left` that starts at element `row` and has `length` elements, from
/// `at` on; outside the row there are zeros. Only the first `count` of the four are wanted.
fn loadLeft(row: u32, at: i32, length: u32, count: u32) -> vec4f {
  let element = row + u32(clamp(at, 0, i32(length) - 4));
  return select(vec4f(), left[element / 4u], at >= 0 && at < i32(length));
}

/// Four elements of `right`; only the first `count` are wanted.
fn loadRight(element: u32, count: u32) -> vec4f {
  return right[element / 4u];
}

/// Four elements of `addend`; only the first `count` are wanted.
fn loadAddend(element: u32, count: u32) -> vec4f {
  return addend[element / 4u];
}

/// Stores the first `count` of four elements.
fn storeResult(element: u32, value: vec4f, count: u32) {
  result[element / 4u] = value;
}
