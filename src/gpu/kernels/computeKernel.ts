import tilesSource from '../../../shaders/lib/tiles.wgsl?raw';
import { GpuFault, gpuFault } from '../faults.ts';
import type { GpuQueue } from '../queue.ts';
import type { CompileClock } from './compileClock.ts';
import type { TileRange, TileRanges } from './tileRanges.ts';

/** Lanes of a workgroup where nothing else is asked for: `workgroupSize` of shaders/lib/tiles.wgsl. */
export const defaultWorkgroupSize = 64;

/** WebGPU's limit on the workgroups of a dispatch, in one dimension. */
const mostWorkgroups = 65_535;

/** Has every kernel say what it does: a counting build, which only tests make. */
export interface Instrument {
  /** A kernel's WGSL, whole, with what it says added. */
  instrumented(source: string): string;
  /** What that is said to: bind group 2. */
  readonly layout: GPUBindGroupLayout;
  readonly group: GPUBindGroup;
}

/** What all kernels of a device share. */
export interface KernelContext {
  readonly queue: GpuQueue;
  readonly ranges: TileRanges;
  /** Lanes of a workgroup; a power of two. */
  readonly workgroupSize: number;
  readonly compileClock: CompileClock;
  readonly instrument?: Instrument;
}

/**
 * How much a call does: so many lanes, of which a workgroup is a tile, or so many tiles as such; and the
 * bytes that its code loads and stores, lane by lane.
 */
export type CallExtent = ({ readonly lanes: number } | { readonly tiles: number }) & {
  readonly issuedBytes: number;
};

/** What a kernel is compiled from. */
export interface KernelDescription {
  /** Its owner's class; labels start with it. */
  readonly owner: string;
  readonly entryPoint: string;
  /** WGSL to put together, after shaders/lib/tiles.wgsl. */
  readonly sources: readonly string[];
  /** Whether it needs the device's `subgroups`. */
  readonly subgroups?: boolean;
  /** Buffers of bind group 0, in binding order. */
  readonly bindings: readonly ('uniform' | 'read' | 'write')[];
  readonly constants?: Readonly<Record<string, number>>;
}

/** A kernel with its operands bound: what is left is to say which tiles, on how many workgroups. */
export interface KernelCall {
  readonly label: string;
  /** Work of one workgroup each; their number depends on shapes alone. */
  readonly tiles: number;
  /** Bytes that the kernel's code loads from storage and stores there, lane by lane. */
  readonly issuedBytes: number;
  /** Dispatches at most `workgroups` workgroups, which walk the range grid-stride. */
  record(pass: GPUComputePassEncoder, range: TileRange, workgroups: number): void;
}

/** Workgroups of a dispatch over `tiles` tiles under the cap `workgroups`. */
export function dispatchedWorkgroups(tiles: number, workgroups: number): number {
  return Math.min(tiles, workgroups, mostWorkgroups);
}

/** A compiled kernel: bind group 0 takes its operands, bind group 1 the range of tiles. */
export class ComputeKernel {
  readonly #owner: string;
  readonly #context: KernelContext;
  readonly #layout: GPUBindGroupLayout;
  readonly #pipeline: GPUComputePipeline;

  private constructor(
    owner: string,
    context: KernelContext,
    layout: GPUBindGroupLayout,
    pipeline: GPUComputePipeline,
  ) {
    this.#owner = owner;
    this.#context = context;
    this.#layout = layout;
    this.#pipeline = pipeline;
  }

  /** Compiles without stalling the queue; a shader that is refused throws a `validation` fault. */
  static async create(
    context: KernelContext,
    { owner, entryPoint, sources, subgroups = false, bindings, constants = {} }: KernelDescription,
  ): Promise<ComputeKernel> {
    const { instrument, queue, ranges } = context;
    const { device } = queue;
    const layout = device.createBindGroupLayout({
      label: `${owner}.operandLayout`,
      entries: bindings.map((binding, index) => ({
        binding: index,
        visibility: GPUShaderStage.COMPUTE,
        buffer: { type: bufferTypes[binding] },
      })),
    });
    const pipelineLayout = device.createPipelineLayout({
      label: `${owner}.layout`,
      bindGroupLayouts: [layout, ranges.layout, ...(instrument ? [instrument.layout] : [])],
    });
    const code = [...(subgroups ? [subgroupHeader] : []), tilesSource, ...sources].join('\n');
    const module = device.createShaderModule({
      label: `${owner}.module`,
      code: instrument?.instrumented(code) ?? code,
    });
    try {
      const compilation = device.createComputePipelineAsync({
        label: `${owner}.pipeline`,
        layout: pipelineLayout,
        compute: {
          module,
          entryPoint,
          constants: { workgroupSize: context.workgroupSize, ...constants },
        },
      });
      const pipeline = await queue.settled(context.compileClock.time(compilation));
      return new ComputeKernel(owner, context, layout, pipeline);
    } catch (error) {
      if (!(error instanceof GPUPipelineError)) throw error;
      throw new GpuFault(gpuFault('validation', `${owner}: ${error.message}`));
    }
  }

  /** Binds operands, in the order of the description's `bindings`. */
  call(label: string, extent: CallExtent, operands: readonly GPUBufferBinding[]): KernelCall {
    const tiles =
      'tiles' in extent ? extent.tiles : Math.ceil(extent.lanes / this.#context.workgroupSize);
    const group = this.#context.queue.device.createBindGroup({
      label: `${this.#owner}.operands`,
      layout: this.#layout,
      entries: operands.map((resource, binding) => ({ binding, resource })),
    });
    const { ranges, instrument } = this.#context;
    const { issuedBytes } = extent;
    return {
      label,
      tiles,
      issuedBytes,
      record: (pass, range, workgroups) => {
        pass.setPipeline(this.#pipeline);
        pass.setBindGroup(0, group);
        ranges.record(pass, range);
        if (instrument) pass.setBindGroup(2, instrument.group);
        pass.dispatchWorkgroups(dispatchedWorkgroups(range.end - range.first, workgroups));
      },
    };
  }
}

/** Quads take the same way through a kernel; the browser cannot prove it. */
const subgroupHeader = 'enable subgroups;\ndiagnostic(off, subgroup_uniformity);';

const bufferTypes = {
  uniform: 'uniform',
  read: 'read-only-storage',
  write: 'storage',
} as const satisfies Record<KernelDescription['bindings'][number], GPUBufferBindingType>;
