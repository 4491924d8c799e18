import type { WindowGeometry } from '../plan.ts';

/**
 * Visits every pair of an output pixel and a tap that is not padding, giving the indices of the
 * input pixel (over the batch), of the tap (ky kernelWidth + kx) and of the output pixel.
 */
export function forEachTap(
  g: WindowGeometry,
  visit: (input: number, tap: number, output: number) => void,
): void {
  for (let image = 0; image < g.batch; image += 1)
    for (let y = 0; y < g.outHeight; y += 1)
      for (let x = 0; x < g.outWidth; x += 1)
        for (let ky = 0; ky < g.kernelHeight; ky += 1) {
          const inY = y * g.stride + ky - g.padTop;
          if (inY < 0 || inY >= g.inHeight) continue;
          for (let kx = 0; kx < g.kernelWidth; kx += 1) {
            const inX = x * g.stride + kx - g.padLeft;
            if (inX < 0 || inX >= g.inWidth) continue;
            visit(
              (image * g.inHeight + inY) * g.inWidth + inX,
              ky * g.kernelWidth + kx,
              (image * g.outHeight + y) * g.outWidth + x,
            );
          }
        }
}
