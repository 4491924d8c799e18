import type { TrainingImages } from '../../data/fashionMnist.ts';

/** Images and their labels, in order. */
export interface MiniBatch {
  readonly images: Float32Array;
  readonly labels: Uint32Array;
}

/** Hands out the images batch by batch, from the start again when they run out. */
export class MiniBatches {
  readonly #data: TrainingImages;
  #next = 0;

  constructor(data: TrainingImages) {
    this.#data = data;
  }

  /** The next whole batch; images that no longer fill one are passed over. */
  next(batch: number): MiniBatch {
    const { images, labels, count } = this.#data;
    if (this.#next + batch > count) this.#next = 0;
    const [first, end] = [this.#next, this.#next + batch];
    const length = images.length / count;
    this.#next = end;
    return {
      images: images.subarray(first * length, end * length),
      labels: labels.subarray(first, end),
    };
  }
}
