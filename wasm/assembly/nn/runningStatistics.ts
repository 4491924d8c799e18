const FLOAT: usize = 4;

/**
 * running = (1 - momentum) running + momentum (mean, unbiased variance of the batch); both arrays
 * [2][channels]. The variance is had back from its inverse root in f64, where that loses nothing.
 */
export function updateRunning(
  statistics: usize,
  pixels: i32,
  channels: i32,
  epsilon: f64,
  momentum: f64,
  running: usize,
): void {
  const half = <usize>channels * FLOAT;
  const unbias: f64 = pixels > 1 ? <f64>pixels / <f64>(pixels - 1) : 1;
  for (let c = 0; c < channels; c++) {
    const at = <usize>c * FLOAT;
    const inverse = <f64>load<f32>(statistics + half + at);
    const variance = unbias * (1 / (inverse * inverse) - epsilon);
    blend(running + at, <f64>load<f32>(statistics + at), momentum);
    blend(running + half + at, variance, momentum);
  }
}

// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
function blend(at: usize, value: f64, momentum: f64): void {
  const before = <f64>load<f32>(at);
  store<f32>(at, <f32>(before + momentum * (value - before)));
}

/** statistics = running mean, 1 / sqrt(running variance + epsilon); both arrays [2][channels]. */
export function statisticsOfRunning(
  running: usize,
  channels: i32,
  epsilon: f64,
  statistics: usize,
): void {
  const half = <usize>channels * FLOAT;
  for (let c = 0; c < channels; c++) {
    const at = <usize>c * FLOAT;
    store<f32>(statistics + at, load<f32>(running + at));
    const variance = <f64>load<f32>(running + half + at);
    store<f32>(statistics + half + at, <f32>(1 / Math.sqrt(variance + epsilon)));
  }
}
