import { defaultConfig } from '../../../src/core/run/config.ts';
import type { Sample } from '../../../src/core/roofline/sample.ts';
import type { GpuContext } from '../../../src/gpu/context.ts';
import { grantedLimits } from '../../../src/gpu/limits.ts';
import type { GpuQueue } from '../../../src/gpu/queue.ts';
import { GpuTimer } from '../../../src/gpu/timer.ts';

/** A context as a job gives it to its stages, and the samples that they tell. */
export async function openContext(
  queue: GpuQueue,
): Promise<{ readonly context: GpuContext; readonly samples: Sample[] }> {
  const timer = await GpuTimer.create(queue);
  const samples: Sample[] = [];
  const context: GpuContext = {
    config: defaultConfig,
    environment: {
      device: 'gpu',
      deviceId: 'gpu-0',
      vendor: '',
      architecture: '',
      description: '',
      software: true,
      features: [...queue.device.features],
      limits: grantedLimits(queue.device),
      timer: timer.source,
    },
    queue,
    timer,
    emit: (event) => {
      if (event.kind === 'sample') samples.push(event.sample);
    },
    progress: () => {},
  };
  return { context, samples };
}
