import type { StepRates } from '../../core/nn/plan.ts';
import type { TrainingImages } from '../../data/fashionMnist.ts';
import type { GpuTrainer } from './gpuTrainer.ts';

/** The rates of the golden runs. */
const rates: StepRates = { learningRate: 0.05, momentum: 0.9, weightDecay: 5e-4 };

/** Hands out the images batch by batch, from the start again when they run out. */
export class MiniBatches {
  readonly #data: TrainingImages;
  #next = 0;

  constructor(data: TrainingImages) {
    this.#data = data;
  }

  /** Gives the next whole batch to a trainer; images that no longer fill one are passed over. */
  feed(trainer: GpuTrainer): void {
    const { images, labels, count } = this.#data;
    const { batch } = trainer.plan;
    if (this.#next + batch > count) this.#next = 0;
    const [first, end] = [this.#next, this.#next + batch];
    const length = images.length / count;
    trainer.setInput(
      images.subarray(first * length, end * length),
      labels.subarray(first, end),
      rates,
    );
    this.#next = end;
  }
}
