const FLOAT: usize = 4;

/**
 * Copies a window of an image [height][width][channels] to `target` [rows][columns][channels]; what
 * lies outside of the image is 0.
 */
export function copyWindow(
  image: usize,
  height: i32,
  width: i32,
  channels: i32,
  firstRow: i32,
  firstColumn: i32,
  rows: i32,
  columns: i32,
  target: usize,
): void {
  const pixelSize = <usize>channels * FLOAT;
  const rowSize = <usize>columns * pixelSize;
  const from = max(0, firstColumn);
  const to = min(width, firstColumn + columns);
  const before = <usize>(min(from - firstColumn, columns)) * pixelSize;
  const inside = <usize>max(0, to - from) * pixelSize;
  for (let row = firstRow; row < firstRow + rows; row++) {
    if (row < 0 || row >= height || inside == 0) {
      memory.fill(target, 0, rowSize);
    } else {
      if (before) memory.fill(target, 0, before);
      memory.copy(target + before, image + <usize>(row * width + from) * pixelSize, inside);
      const after = rowSize - before - inside;
      if (after) memory.fill(target + before + inside, 0, after);
    }
    target += rowSize;
  }
}
