/** Fields of a WGSL uniform struct of 32-bit scalars, in the order of its declaration. */
export type UniformFields = Readonly<Record<string, 'u32' | 'f32'>>;

/** A number for each field of a uniform struct; further properties are ignored. */
export type UniformValues<Fields extends UniformFields> = {
  readonly [Field in keyof Fields]: number;
};

/** The bytes of a uniform struct. Throws a RangeError on a u32 field that is no whole number. */
export function uniformBytes<Fields extends UniformFields>(
  fields: Fields,
  values: UniformValues<Fields>,
): ArrayBuffer {
  const entries = Object.entries(fields);
  const view = new DataView(new ArrayBuffer(4 * entries.length));
  entries.forEach(([name, type], index) => {
    const value = values[name] ?? NaN;
    if (type === 'f32') view.setFloat32(4 * index, value, true);
    else if (value === value >>> 0) view.setUint32(4 * index, value, true);
    else throw new RangeError(`uniform ${name} is a u32, not ${value}`);
  });
  return view.buffer;
}

/** Every adapter lets a uniform start at multiples of this many bytes. */
const slotSize = 256;
const slotsPerBuffer = 256;

/** Small uniforms, many to a buffer. Buffers are added as they fill up. */
export class UniformSlots {
  readonly #device: GPUDevice;
  readonly #label: string;
  readonly #buffers: GPUBuffer[] = [];
  #used = slotsPerBuffer;

  constructor(device: GPUDevice, label: string) {
    this.#device = device;
    this.#label = label;
  }

  /** Keeps up to 256 bytes in a slot of their own. */
  add(bytes: ArrayBuffer): Required<GPUBufferBinding> {
    if (bytes.byteLength > slotSize)
      throw new RangeError(`a uniform of ${bytes.byteLength} bytes, more than ${slotSize}`);
    if (this.#used === slotsPerBuffer) this.#grow();
    const buffer = this.#buffers.at(-1)!;
    const offset = slotSize * this.#used;
    this.#used += 1;
    this.#device.queue.writeBuffer(buffer, offset, bytes);
    return { buffer, offset, size: slotSize };
  }

  destroy(): void {
    for (const buffer of this.#buffers) buffer.destroy();
  }

  #grow(): void {
    const size = slotSize * slotsPerBuffer;
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#buffers.push(this.#device.createBuffer({ label: this.#label, size, usage }));
    this.#used = 0;
  }
}
