import { openDevice, type OpenGpu } from '../../src/gpu/device.ts';

/** A device for the tests of one file, since compiling the kernels takes seconds, until one of them loses it. */
export class SharedDevice {
  #opening: Promise<OpenGpu> | undefined;

  open(): Promise<OpenGpu> {
    this.#opening ??= openDevice().then((opened) => {
      if (opened.kind === 'failure') throw new Error(opened.failure.detail);
      keepPipelines(opened.device);
      return opened;
    });
    return this.#opening;
  }

  async lose(): Promise<void> {
    (await this.#opening)?.device.destroy();
    this.#opening = undefined;
  }
}

/** Keeps what is compiled: a browser may give the same pipeline again while one of that code lives. */
function keepPipelines(device: GPUDevice): void {
  const kept: GPUComputePipeline[] = [];
  const compile = device.createComputePipelineAsync.bind(device);
  device.createComputePipelineAsync = async (descriptor) => {
    const pipeline = await compile(descriptor);
    kept.push(pipeline);
    return pipeline;
  };
}
