// A step of the affine chains modulo 2^32.
fn stepOf(x: Value, a: Value, b: Value) -> Value {
  return x * a + b;
}
