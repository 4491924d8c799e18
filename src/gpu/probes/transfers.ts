import { sampledLanes } from '../../core/probes/chainCheck.ts';
import { patternWord } from '../../core/probes/streamData.ts';
import { createBuffer, readBuffer } from '../buffers.ts';
import type { GpuQueue } from '../queue.ts';

/** So many words are compared, spread over all by the golden ratio: all would take longer than the transfer. */
const comparedWords = 4096;

/** Moves one array between the page and the device, and knows what must have arrived. */
export class Transfers {
  readonly #queue: GpuQueue;
  /** Incompressible; the first word counts the transfers. */
  readonly #data: Uint32Array<ArrayBuffer>;
  readonly #onDevice: GPUBuffer;
  readonly #mappable: GPUBuffer[] = [];

  private constructor(queue: GpuQueue, size: number, onDevice: GPUBuffer) {
    this.#queue = queue;
    this.#data = Uint32Array.from({ length: size / 4 }, (_, index) => patternWord(index));
    this.#onDevice = onDevice;
  }

  /** `size`: bytes of the array, a multiple of 4. */
  static async create(queue: GpuQueue, size: number): Promise<Transfers> {
    const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    return new Transfers(queue, size, await createBuffer(queue, { size, usage }));
  }

  /** Writes the array so many times, and waits until all has arrived. */
  async upload(count: number): Promise<void> {
    for (let transfer = 0; transfer < count; transfer++) this.#write();
    await this.#queue.done();
  }

  /** Whether the device holds what was written last. */
  async isUploaded(): Promise<boolean> {
    return this.#isData(await readBuffer(this.#queue, this.#onDevice));
  }

  /** Has so many copies ready to be read, and other words on the device than any copy holds. */
  async prepareDownload(count: number): Promise<void> {
    const { MAP_READ, COPY_DST } = GPUBufferUsage;
    const { size } = this.#onDevice;
    while (this.#mappable.length < count)
      this.#mappable.push(await createBuffer(this.#queue, { size, usage: MAP_READ | COPY_DST }));
    await this.upload(1);
  }

  /** Copies the array so many times into memory of the page's. */
  async download(count: number): Promise<ArrayBuffer[]> {
    const { size } = this.#onDevice;
    const copies = this.#mappable.slice(0, count);
    const encoder = this.#queue.device.createCommandEncoder();
    for (const copy of copies) encoder.copyBufferToBuffer(this.#onDevice, 0, copy, 0, size);
    this.#queue.submit(encoder.finish());
    return Promise.all(copies.map((copy) => this.#queue.readMappable(copy, size)));
  }

  /** Whether all of these are what was written last. */
  areDownloads(copies: readonly ArrayBuffer[]): boolean {
    return copies.every((copy) => this.#isData(copy));
  }

  destroy(): void {
    for (const buffer of [this.#onDevice, ...this.#mappable]) buffer.destroy();
  }

  #write(): void {
    this.#data[0] = this.#data[0]! + 1;
    this.#queue.device.queue.writeBuffer(this.#onDevice, 0, this.#data);
  }

  #isData(copy: ArrayBuffer): boolean {
    const words = new Uint32Array(copy);
    return (
      words.length === this.#data.length &&
      sampledLanes(words.length, comparedWords).every((at) => words[at] === this.#data[at])
    );
  }
}
