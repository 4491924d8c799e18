import { storeFirst } from './lanes';

/** Copies `channels` channels of `pixels` pixels; pitches are bytes from pixel to pixel. */
export function copyChannels(
  source: usize,
  sourcePitch: usize,
  target: usize,
  targetPitch: usize,
  pixels: i32,
  channels: i32,
): void {
  for (let pixel = 0; pixel < pixels; pixel++) {
    for (let channel = 0; channel < channels; channel += 4) {
      const at = <usize>channel * 4;
      storeFirst(target + at, 0, v128.load(source + at), min(4, channels - channel));
    }
    source += sourcePitch;
    target += targetPitch;
  }
}

/** total = left + right */
export function add(left: usize, right: usize, total: usize, length: i32): void {
  for (let i = 0; i < length; i += 4) {
    const at = <usize>i * 4;
    storeFirst(total + at, right + at, v128.load(left + at), min(4, length - i));
  }
}
