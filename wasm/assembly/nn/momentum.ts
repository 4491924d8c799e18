/**
 * v = momentum v + (g + decay w), w = w - learningRate v, over `length` elements, a multiple of four.
 */
export function momentumUpdate(
  parameters: usize,
  gradients: usize,
  velocities: usize,
  length: i32,
  learningRate: f32,
  momentum: f32,
  decay: f32,
): void {
  const rate = f32x4.splat(learningRate);
  const keep = f32x4.splat(momentum);
  const shrink = f32x4.splat(decay);
  for (let i = 0; i < length; i += 4) {
    const w = v128.load(parameters);
    const gradient = f32x4.add(v128.load(gradients), f32x4.mul(shrink, w));
    const v = f32x4.add(f32x4.mul(keep, v128.load(velocities)), gradient);
    v128.store(velocities, v);
    v128.store(parameters, f32x4.sub(w, f32x4.mul(rate, v)));
    parameters += 16;
    gradients += 16;
    velocities += 16;
  }
}
