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

  /** Gives the next batch to a trainer; one of more images than there are has some repeatedly. */
  feed(trainer: GpuTrainer): void {
    const { batch } = trainer.plan;
    const { images, labels, count } = this.#data;
    const length = images.length / count;
    const batchImages = new Float32Array(batch * length);
    const batchLabels = new Uint32Array(batch);
    for (let done = 0; done < batch;) {
      const some = Math.min(batch - done, count - this.#next);
      const [first, end] = [this.#next, this.#next + some];
      batchImages.set(images.subarray(first * length, end * length), done * length);
      batchLabels.set(labels.subarray(first, end), done);
      done += some;
      this.#next = end % count;
    }
    trainer.setInput(batchImages, batchLabels, rates);
  }
}
