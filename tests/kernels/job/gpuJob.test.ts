import { expect, test } from 'vitest';
import { defaultConfig } from '../../../src/core/run/config.ts';
import type { RunEvent } from '../../../src/core/run/events.ts';
import { isResumable } from '../../../src/core/run/task.ts';
import { runGpuJob } from '../../../src/gpu/job.ts';

/** Runs a job, calling `when` on every event; returns the events. */
async function run(
  when: (event: RunEvent, controller: AbortController) => void,
  gpu?: GPU,
): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  const controller = new AbortController();
  const emit = (event: RunEvent) => {
    events.push(event);
    when(event, controller);
  };
  await runGpuJob(defaultConfig, emit, controller.signal, gpu === undefined ? {} : { gpu });
  return events;
}

const countOf = (events: readonly RunEvent[], kind: RunEvent['kind']) =>
  events.filter((event) => event.kind === kind).length;

test('without an adapter the job is a failure and done', async () => {
  const gpu = { requestAdapter: () => Promise.resolve(null) } as unknown as GPU;
  const events = await run(() => {}, gpu);
  expect(events.map(({ kind }) => kind)).toEqual(['failure', 'done']);
});

test('the environment comes first, then samples; a cancel keeps them and ends the job at once', async () => {
  let cancelled = 0;
  const events = await run((event, controller) => {
    if (event.kind !== 'sample' || cancelled > 0) return;
    cancelled = performance.now();
    setTimeout(() => controller.abort(), 100);
  });
  expect(performance.now() - cancelled).toBeLessThan(600);
  const told = events.filter(({ kind }) => kind !== 'progress');
  expect(told[0]).toMatchObject({ kind: 'environment', environment: { device: 'gpu' } });
  expect(told[1]).toMatchObject({ kind: 'sample', sample: { probe: 'fma' } });
  expect(told.at(-1)).toEqual({ kind: 'done', device: 'gpu', cancelled: true });
  expect(countOf(events, 'failure')).toBe(0);
});

test.for([
  ['timer', 'the first progress', (event: RunEvent) => event.kind === 'progress'],
  ['arithmetic', 'the first sample', (event: RunEvent) => event.kind === 'sample'],
] as const)(
  'a device lost in the %s, at %s, is told with what was measured before',
  async ([stage, , isMoment]) => {
    const { gpu, lose } = losableGpu();
    let lost = false;
    const events = await run((event, controller) => {
      if (event.kind === 'failure') controller.abort();
      if (lost || !isMoment(event)) return;
      lost = true;
      lose();
    }, gpu);
    const failures = failuresOf(events);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatchObject({ kind: 'device-lost', stage });
    expect(failures[0]?.detail).toMatch(/destroyed/);
    expect(events.at(-1)).toEqual({ kind: 'done', device: 'gpu', cancelled: true });
    expect(countOf(events, 'sample')).toBeGreaterThanOrEqual(stage === 'timer' ? 0 : 1);
  },
);

test('after a lost device the stages left are measured on a new one, until that is lost too', async () => {
  const { gpu, lose } = losableGpu();
  const seen = new Set<string>();
  const events = await run((event) => {
    // The first arithmetic on the one device, the first bandwidth on the other.
    const probe = event.kind === 'sample' ? event.sample.probe : '';
    if (!['fma', 'copy'].includes(probe) || seen.has(probe)) return;
    seen.add(probe);
    lose();
  }, gpu);
  const stages = failuresOf(events).map(({ kind, stage }) => [kind, stage]);
  expect(stages).toEqual([
    ['device-lost', 'arithmetic'],
    ['device-lost', 'bandwidth'],
  ]);
  expect(countOf(events, 'environment')).toBe(2);
  expect(events.at(-1)).toEqual({ kind: 'done', device: 'gpu', cancelled: false });
  expect(isResumable(events, 'gpu')).toBe(true);
});

const failuresOf = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.kind === 'failure' ? [event.failure] : []));

/** The real GPU, and a way to lose the device that was opened last. */
function losableGpu(): { readonly gpu: GPU; readonly lose: () => void } {
  let device: GPUDevice | undefined;
  const gpu = {
    async requestAdapter(options?: GPURequestAdapterOptions) {
      const adapter = await navigator.gpu.requestAdapter(options);
      if (adapter === null) return null;
      const requestDevice = adapter.requestDevice.bind(adapter);
      adapter.requestDevice = async (descriptor) => (device = await requestDevice(descriptor));
      return adapter;
    },
  } as unknown as GPU;
  return { gpu, lose: () => device?.destroy() };
}
