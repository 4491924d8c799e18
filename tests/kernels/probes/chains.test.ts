import { expect, test } from 'vitest';
import type { Runs } from '../../../src/core/probes/chainCheck.ts';
import {
  chainOperation,
  chainOperations,
  type ChainOperationName,
} from '../../../src/core/probes/chainOperations.ts';
import { laneDigests, sumOfDigests } from '../../../src/core/probes/chainSums.ts';
import { chainOpenings } from '../../../src/core/probes/chainVariant.ts';
import { submitPasses } from '../../../src/gpu/passes.ts';
import { ChainKernel } from '../../../src/gpu/probes/chainKernel.ts';
import { chainShader } from '../../../src/gpu/probes/chainShader.ts';
import { sizeWorkload, timeWorkload } from '../../../src/gpu/probes/workload.ts';
import type { GpuQueue } from '../../../src/gpu/queue.ts';
import type { GpuTimer } from '../../../src/gpu/timer.ts';
import { openQueue } from '../timer/simulated.ts';
import { timestampTimer } from '../timestampTimer.ts';

const base = chainOpenings('fmaF32')[0];

const operations = Object.keys(chainOperations) as ChainOperationName[];

test.for(operations)(
  '%s computes what the emulation does, in every shape',
  async (operation, { skip }) => {
    const queue = await openQueue();
    const { precision, forms, widths } = chainOperation(operation);
    skip(precision === 'f16' && !queue.device.features.has('shader-f16'), 'no shader-f16');
    const shapes = [
      { chains: 1, width: 1, stepsPerTrip: 128, workgroupSize: 32, coefficients: 'uniform' },
      { chains: 2, width: 2, stepsPerTrip: 4, workgroupSize: 64, coefficients: 'register' },
      { chains: 3, width: 4, stepsPerTrip: 32, workgroupSize: 128, coefficients: 'uniform' },
      { chains: 16, width: 4, stepsPerTrip: 1, workgroupSize: 64, coefficients: 'register' },
    ] as const;
    for (const form of forms)
      for (const shape of shapes) {
        const width = widths.includes(shape.width) ? shape.width : widths[0]!;
        const variant = { ...shape, operation, form, width };
        // Lanes beyond 65,536 start like the first ones again.
        const lanes = shape.chains === 1 ? 65_536 + 1280 : 1280;
        const kernel = await ChainKernel.create(queue, variant, lanes);
        const done = await run(queue, kernel);
        const verdict = await kernel.check(done);
        expect(verdict, JSON.stringify(variant)).toMatchObject({ kind: 'right' });
        if (verdict.kind === 'right') expect(verdict.flags).not.toContain('rounding unknown');
        expect(await kernel.check([{ amount: 13, runs: 1 }])).toMatchObject({ kind: 'wrong' });
        kernel.destroy();
      }
    queue.device.destroy();
  },
);

/** Ways in which a compiler or a driver has made a probe look faster than the device. */
const wrongResults: readonly [string, (code: string) => string][] = [
  ['an accumulator dropped', (code) => code.replace(/sum1 \+= .*/, '')],
  ['lanes merged', (code) => code.replace('firstValue(lane);', 'firstValue(0u);')],
  ['components merged', (code) => code.replace('componentNumbers * componentOffset', 'Value()')],
  ['chains merged', (code) => code.replace('4.0 * componentOffset', '0.0')],
  ['a step dropped', (code) => code.replace(/x2 = stepOf.*/, '')],
  [
    'the trip count cut off',
    (code) => code.replace('< parameters.segments;', '< min(parameters.segments, 4u);'),
  ],
  [
    'the buffer never written',
    (code) =>
      code
        .replace('sums[lane] +=', 'if (parameters.zero != 0u) { sums[lane] +=')
        .replace('total;\n}', 'total; }\n}'),
  ],
  [
    'a result wrong from the second repeat on',
    (code) => code.replace('+= total;', '+= total + min(sums[lane], 1u);'),
  ],
];

test.for(wrongResults)('the results of a probe with %s are refused', async ([, spoil]) => {
  const queue = await openQueue();
  const code = spoil(chainShader(base));
  expect(code).not.toBe(chainShader(base));
  const kernel = await ChainKernel.create(queue, base, 4096, code);
  expect(await kernel.check(await run(queue, kernel))).toMatchObject({ kind: 'wrong' });
  queue.device.destroy();
});

test('results that are wrong only after the second repeat are refused', async () => {
  const queue = await openQueue();
  // What two repeats make of the first lane, by which the third knows itself.
  const twoRepeats = (['fused', 'separate'] as const).map((rounding) => {
    const digests = laneDigests(base, rounding, 0);
    return (sumOfDigests(digests, 3) + sumOfDigests(digests, 5)) >>> 0;
  });
  const isThird = twoRepeats.map((sum) => `sums[lane] == ${sum}u`).join(' || ');
  const code = chainShader(base).replace(
    '+= total;',
    `+= total + select(0u, 1u, lane == 0u && (${isThird}));`,
  );
  const kernel = await ChainKernel.create(queue, base, 4096, code);
  expect(await kernel.check(await run(queue, kernel, [3, 5]))).toMatchObject({
    kind: 'right',
  });
  expect(await kernel.check(await run(queue, kernel, [3, 5, 5]))).toMatchObject({
    kind: 'wrong',
  });
  queue.device.destroy();
});

/** Every step an ulp or so off: rounding that no emulation here knows. */
const sloppy = (code: string) => code.replace('fma(x, a, b)', 'fma(x, a, b) * 1.0000001');

test('a device with rounding of its own passes by a tolerance, and says so', async () => {
  const queue = await openQueue();
  const create = (code: string) => ChainKernel.create(queue, base, 4096, code);
  const kernel = await create(sloppy(chainShader(base)));
  const done = await run(queue, kernel);
  expect(await kernel.check(done)).toEqual({ kind: 'right', flags: ['rounding unknown'] });
  for (const [name, spoil] of wrongResults) {
    const broken = await create(sloppy(spoil(chainShader(base))));
    expect(await broken.check(await run(queue, broken)), name).toMatchObject({ kind: 'wrong' });
  }
  queue.device.destroy();
});

test('a probe whose trips are folded is refused by its time, though its results are right', async () => {
  const queue = await openQueue();
  const timer = await timestampTimer(queue);
  const whole = chainShader(base);
  const folded = whole
    .replace('< parameters.segments;', '< min(parameters.segments, 8u);')
    .replace(/(sum\d+) \+= (bitsOf\(x\d+\));/g, '$1 += $2 * repeats;')
    .replace('var x0 =', 'let repeats = (parameters.segments - segment + 7u) / 8u;\nvar x0 =');
  const kernel = await ChainKernel.create(queue, base, 4096, folded);
  expect(await kernel.check(await run(queue, kernel))).toMatchObject({ kind: 'right' });
  expect(await refusalOf(timer, kernel)).toMatch(/times as long|too short to time/);
  // The same probe unbroken is accepted; other work on the machine may need more than one try.
  const sound = await ChainKernel.create(queue, base, 4096, whole);
  await expect.poll(() => refusalOf(timer, sound), { timeout: 60_000 }).toBeUndefined();
  queue.device.destroy();
});

async function refusalOf(timer: GpuTimer, kernel: ChainKernel): Promise<string | undefined> {
  const size = await sizeWorkload(timer, kernel, timer.passSeconds(0.008));
  return (await timeWorkload(timer, kernel, size, 3)).refusal?.reason;
}

/** Dispatches so many segments each. */
async function run(
  queue: GpuQueue,
  kernel: ChainKernel,
  segments: readonly number[] = [3, 5, 5],
): Promise<Runs[]> {
  const passes = segments.map((amount) => ({ record: kernel.record(amount), expectedSeconds: 0 }));
  kernel.clear();
  await submitPasses(queue, passes);
  return segments.map((amount) => ({ amount, runs: 1 }));
}
