import type { Sample } from '../../src/core/roofline/sample.ts';
import { rooflines } from '../../src/core/roofline/rooflines.ts';
import { defaultConfig, type RunConfig } from '../../src/core/run/config.ts';
import { median } from '../../src/core/stats/median.ts';
import type { GpuContext } from '../../src/gpu/context.ts';
import { openDevice } from '../../src/gpu/device.ts';
import { arithmeticProbe } from '../../src/gpu/probes/arithmeticProbe.ts';
import { createStreamBuffers } from '../../src/gpu/probes/streamBuffers.ts';
import { streamProbe } from '../../src/gpu/probes/streamProbe.ts';
import { sizeWorkload } from '../../src/gpu/probes/workload.ts';
import { GpuQueue } from '../../src/gpu/queue.ts';
import { GpuTimer } from '../../src/gpu/timer.ts';
import { createBaselines, type Baseline } from './rooflineBaselines.ts';

/** What one kernel or probe reached, in flop/s or byte/s: the median of each round, in order. */
export interface RooflinePeer {
  readonly name: string;
  readonly kind: 'compute' | 'bandwidth';
  readonly isOurs: boolean;
  readonly rates: readonly number[];
}

/** Bytes of each array of the bandwidth baselines. */
const arraySize = 64 * 2 ** 20;
const runSeconds = 0.006;
const runs = 8;

/** Our probes and the baselines, turn by turn, so many rounds. */
async function compareRooflines(rounds: number): Promise<RooflinePeer[]> {
  const opened = await openDevice();
  if (opened.kind === 'failure') throw new Error(opened.failure.detail);
  const queue = new GpuQueue(opened.device, opened.watch, new AbortController().signal);
  const timer = await GpuTimer.create(queue);
  const buffers = await createStreamBuffers(queue, arraySize);
  const baselines = await createBaselines(queue, buffers);
  const rates = new Map<string, Omit<RooflinePeer, 'rates'> & { readonly rates: number[] }>();
  const keep = (name: string, kind: Baseline['kind'], isOurs: boolean, rate: number) => {
    const known = rates.get(name) ?? { name, kind, isOurs, rates: [] };
    known.rates.push(rate);
    rates.set(name, known);
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of ['compute', 'bandwidth'] as const) {
      for (const baseline of baselines.filter((each) => each.kind === kind))
        keep(baseline.name, kind, false, await rateOf(timer, baseline));
      const environment = {
        ...opened.environment,
        timer: timer.source,
      };
      const samples: Sample[] = [];
      await (kind === 'compute' ? arithmeticProbe : streamProbe)({
        config: quick,
        environment,
        queue,
        timer,
        emit: (event) => {
          if (event.kind === 'sample') samples.push(event.sample);
        },
        progress: () => {},
      } satisfies GpuContext);
      keep(`ours, ${kind === 'compute' ? 'f32' : 'memory'}`, kind, true, ourRate(samples, kind));
    }
  }
  opened.device.destroy();
  return [...rates.values()];
}

const quick: RunConfig = { ...defaultConfig, profile: 'quick', device: 'gpu', sweeps: [] };

async function rateOf(timer: GpuTimer, { work, workload }: Baseline): Promise<number> {
  const { amount, seconds } = await sizeWorkload(timer, workload, timer.passSeconds(runSeconds));
  const pass = { record: workload.record(amount), expectedSeconds: seconds };
  const measured = await timer.measure(Array.from({ length: timer.pairs(runs) }, () => pass));
  return (work * amount) / median(measured.seconds);
}

/** The f32 ceiling or that of the last memory level. */
function ourRate(samples: readonly Sample[], kind: Baseline['kind']): number {
  const [roofline] = rooflines(samples);
  const ceiling =
    kind === 'compute'
      ? roofline?.compute.find(({ precision }) => precision === 'f32')
      : roofline?.bandwidth.find(({ level }) => level === 'memory');
  if (ceiling === undefined) throw new Error(`no ${kind} ceiling was measured`);
  return ceiling.value;
}

Object.assign(window, { compareRooflines });
