// A step of the affine chains that no compiler may contract to one operation.
fn stepOf(x: Value, a: Value, b: Value) -> Value {
  return (x + b) * a;
}
