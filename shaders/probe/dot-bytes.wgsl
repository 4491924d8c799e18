// A step of four signed bytes: four multiplies and four adds.
fn stepOf(x: Value, a: Value, b: Value) -> Value {
  return x + bitcast<u32>(dot4I8Packed(x, a));
}
