// A step of the affine chains in floating point.
fn stepOf(x: Value, a: Value, b: Value) -> Value {
  return fma(x, a, b);
}
