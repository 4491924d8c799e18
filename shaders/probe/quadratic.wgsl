// A step of the quadratic chains in floating point.
fn stepOf(x: Value, a: Value, b: Value) -> Value {
  return fma(x, x, b);
}
