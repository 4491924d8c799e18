// Operands of a convolution kernel, one element an access, for any channel count. The same
// functions for multiples of four are in conv2d-operands-vec4.wgsl.

/// The tensor with padding: input, or the output's gradient in the backward pass to the input.
@group(0) @binding(1) var<storage, read> left: array<f32>;
/// The tensor without: weight, or the output's gradient in the backward pass to the weight.
@group(0) @binding(2) var<storage, read> right: array<f32>;
/// What the kernel makes.
@group(0) @binding(3) var<storage, read_write> result: array<f32>;
/// Another branch's gradient of the same tensor; only the backward pass to the input has it.
@group(0) @binding(4) var<storage, read> addend: array<f32>;

/// Four elements of a row of `left` that starts at element `row` and has `length` elements, from
/// `at` on; outside the row there are zeros, and zeros after the first `count`.
fn loadLeft(row: u32, at: i32, length: u32, count: u32) -> vec4f {
  let ats = at + vec4i(0, 1, 2, 3);
  let inside = (ats >= vec4i()) & (ats < vec4i(i32(length)));
  let wanted = inside & (vec4u(0u, 1u, 2u, 3u) < vec4u(count));
  let elements = row + vec4u(clamp(ats, vec4i(), vec4i(i32(length) - 1)));
  let values = vec4f(left[elements.x], left[elements.y], left[elements.z], left[elements.w]);
  return select(vec4f(), values, wanted);
}

/// Four elements of `right`, zeros after the first `count`; `count` is at least one.
fn loadRight(element: u32, count: u32) -> vec4f {
  let last = element + count - 1u;
  let values = vec4f(
    right[element],
    right[min(element + 1u, last)],
    right[min(element + 2u, last)],
    right[min(element + 3u, last)],
  );
  return select(vec4f(), values, vec4u(0u, 1u, 2u, 3u) < vec4u(count));
}

/// Four elements of `addend`, of which the first `count` count; `count` is at least one.
fn loadAddend(element: u32, count: u32) -> vec4f {
  let last = element + count - 1u;
  return vec4f(
    addend[element],
    addend[min(element + 1u, last)],
    addend[min(element + 2u, last)],
    addend[min(element + 3u, last)],
  );
}

/// Stores the first `count` of four elements; `count` is at least one.
fn storeResult(element: u32, value: vec4f, count: u32) {
  result[element] = value.x;
  if (count > 1u) { result[element + 1u] = value.y; }
  if (count > 2u) { result[element + 2u] = value.z; }
  if (count > 3u) { result[element + 3u] = value.w; }
}
