/** A tile of pixels: some rows of some images. */
export interface PixelTile {
  readonly image: number;
  readonly images: number;
  readonly row: number;
  readonly rows: number;
}

/** Enough for what passes through the cache to be used often, few enough to stay in it. */
const usualPixels = 256;
/** Small images share a tile only up to here: a batch of them still has to keep all threads busy. */
const mostPixelsOfImages = 128;

/** How images are cut into tiles: follows from shapes alone, so that sums do not depend on threads. */
export class PixelTiles {
  readonly tiles: number;
  /** The most pixels of a tile. */
  readonly pixels: number;
  readonly rowsPerTile: number;
  readonly imagesPerTile: number;
  readonly #batch: number;
  readonly #rows: number;
  readonly #bands: number;

  /** A tile has at most `mostPixels`, but a whole row at least. */
  constructor(batch: number, rows: number, columns: number, mostPixels = usualPixels) {
    const together = Math.floor(Math.min(mostPixelsOfImages, mostPixels) / (rows * columns));
    this.imagesPerTile = Math.max(1, Math.min(batch, together));
    this.rowsPerTile = Math.max(1, Math.min(rows, Math.floor(mostPixels / columns)));
    this.pixels = this.imagesPerTile * this.rowsPerTile * columns;
    this.#batch = batch;
    this.#rows = rows;
    this.#bands = Math.ceil(rows / this.rowsPerTile);
    this.tiles = Math.ceil(batch / this.imagesPerTile) * this.#bands;
  }

  at(tile: number): PixelTile {
    const image = Math.floor(tile / this.#bands) * this.imagesPerTile;
    const row = (tile % this.#bands) * this.rowsPerTile;
    return {
      image,
      images: Math.min(this.imagesPerTile, this.#batch - image),
      row,
      rows: Math.min(this.rowsPerTile, this.#rows - row),
    };
  }
}
