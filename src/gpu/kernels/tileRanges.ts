import { uniformBytes, UniformSlots } from './uniforms.ts';

/** Tiles `first` to `end` - 1 of a kernel call. */
export interface TileRange {
  readonly first: number;
  readonly end: number;
}

/** `TileRange` of shaders/lib/tiles.wgsl. */
export const tileRangeFields = { first: 'u32', end: 'u32' } as const;

/** The ranges of tiles that dispatches walk: bind group 1 of every kernel of the training step. */
export class TileRanges {
  readonly layout: GPUBindGroupLayout;
  readonly #device: GPUDevice;
  readonly #slots: UniformSlots;
  readonly #groups = new Map<GPUBuffer, GPUBindGroup>();
  readonly #bindings = new Map<string, { readonly group: GPUBindGroup; readonly offset: number }>();

  constructor(device: GPUDevice) {
    this.#device = device;
    this.#slots = new UniformSlots(device, 'TileRanges.slots');
    this.layout = device.createBindGroupLayout({
      label: 'TileRanges.layout',
      entries: [
        {
          binding: 0,
          visibility: GPUShaderStage.COMPUTE,
          buffer: { type: 'uniform', hasDynamicOffset: true },
        },
      ],
    });
  }

  /** Sets the range that the pass's next dispatches walk. */
  record(pass: GPUComputePassEncoder, range: TileRange): void {
    const { group, offset } = this.#binding(range);
    pass.setBindGroup(1, group, [offset]);
  }

  destroy(): void {
    this.#slots.destroy();
  }

  #binding(range: TileRange): { readonly group: GPUBindGroup; readonly offset: number } {
    const key = `${range.first}-${range.end}`;
    const known = this.#bindings.get(key);
    if (known !== undefined) return known;
    const { buffer, offset, size } = this.#slots.add(uniformBytes(tileRangeFields, range));
    const binding = { group: this.#group(buffer, size), offset };
    this.#bindings.set(key, binding);
    return binding;
  }

  #group(buffer: GPUBuffer, size: number): GPUBindGroup {
    const known = this.#groups.get(buffer);
    if (known !== undefined) return known;
    const group = this.#device.createBindGroup({
      label: 'TileRanges.group',
      layout: this.layout,
      entries: [{ binding: 0, resource: { buffer, offset: 0, size } }],
    });
    this.#groups.set(buffer, group);
    return group;
  }
}
