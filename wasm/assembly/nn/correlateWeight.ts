import { multiplyAdd } from './multiplyAdd';
import { storeLanes } from './lanes';

const FLOAT: usize = 4;
/** Of a register block: elements of a run by output channels. */
const BLOCK_ELEMENTS = 6;
const BLOCK_CHANNELS = 8;

/**
 * target[r * runLength + i][o] = sum over the tile's pixels of
 * source[pixel][r * runPitch + i] * gradient[pixel][o], added to what is there if `adds`
 *
 * for r < runs and i < runLength. Pitches are in bytes. A register block is 6 elements of a run by 8
 * channels; what it reads past the end of a run or of a pixel's channels is not stored.
 */
export function correlateWeight(
  source: usize,
  sourceRow: usize,
  sourcePixel: usize,
  runs: i32,
  runLength: i32,
  runPitch: usize,
  gradient: usize,
  gradientRow: usize,
  gradientPixel: usize,
  rows: i32,
  columns: i32,
  channels: i32,
  target: usize,
  targetRow: usize,
  adds: bool,
): void {
  for (let run = 0; run < runs; run++) {
    for (let i = 0; i < runLength; i += BLOCK_ELEMENTS) {
      const elements = min(BLOCK_ELEMENTS, runLength - i);
      for (let channel = 0; channel < channels; channel += BLOCK_CHANNELS) {
        let a0 = f32x4.splat(0);
        let a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0;
        let b0 = a0, b1 = a0, b2 = a0, b3 = a0, b4 = a0, b5 = a0;
        let sourceStart = source + <usize>run * runPitch + <usize>i * FLOAT;
        let gradientStart = gradient + <usize>channel * FLOAT;
        for (let row = 0; row < rows; row++) {
          let s = sourceStart;
          let g = gradientStart;
          for (let x = 0; x < columns; x++) {
            const u = v128.load(g, 0);
            const v = v128.load(g, 16);
            let z = v128.load32_splat(s, 0);
            a0 = multiplyAdd(z, u, a0);
            b0 = multiplyAdd(z, v, b0);
            z = v128.load32_splat(s, 4);
            a1 = multiplyAdd(z, u, a1);
            b1 = multiplyAdd(z, v, b1);
            z = v128.load32_splat(s, 8);
            a2 = multiplyAdd(z, u, a2);
            b2 = multiplyAdd(z, v, b2);
            z = v128.load32_splat(s, 12);
            a3 = multiplyAdd(z, u, a3);
            b3 = multiplyAdd(z, v, b3);
            z = v128.load32_splat(s, 16);
            a4 = multiplyAdd(z, u, a4);
            b4 = multiplyAdd(z, v, b4);
            z = v128.load32_splat(s, 20);
            a5 = multiplyAdd(z, u, a5);
            b5 = multiplyAdd(z, v, b5);
            s += sourcePixel;
            g += gradientPixel;
          }
          sourceStart += sourceRow;
          gradientStart += gradientRow;
        }
        const count = min(BLOCK_CHANNELS, channels - channel);
        let t = target + <usize>(run * runLength + i) * targetRow + <usize>channel * FLOAT;
        storeLanes(t, adds ? t : 0, a0, b0, count);
        if (elements < 2) continue;
        t += targetRow;
        storeLanes(t, adds ? t : 0, a1, b1, count);
        if (elements < 3) continue;
        t += targetRow;
        storeLanes(t, adds ? t : 0, a2, b2, count);
        if (elements < 4) continue;
        t += targetRow;
        storeLanes(t, adds ? t : 0, a3, b3, count);
        if (elements < 5) continue;
        t += targetRow;
        storeLanes(t, adds ? t : 0, a4, b4, count);
        if (elements < 6) continue;
        t += targetRow;
        storeLanes(t, adds ? t : 0, a5, b5, count);
      }
    }
  }
}
