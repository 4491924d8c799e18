import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ridgePoints } from '../../../src/core/roofline/attainable.ts';
import { intensitiesOf } from '../../../src/core/roofline/intensities.ts';
import { rooflineOf } from '../../../src/core/roofline/trajectories.ts';
import type { Ceiling } from '../../../src/core/roofline/types.ts';
import { wholeSteps } from '../../../src/core/roofline/wholeSteps.ts';
import { parseRecord } from '../../../src/core/run/codec.ts';
import { deflateText, inflateText } from '../../../src/core/run/deflate.ts';
import { decodeLink, encodeLink, linkTextOf, longestLink } from '../../../src/core/run/link.ts';
import { measuredRow } from '../../../src/core/run/linkWire.ts';
import type { RunEvent } from '../../../src/core/run/events.ts';
import type { RunSummary, SummarizedRun } from '../../../src/core/run/record.ts';
import { summary } from '../../../src/core/run/summary.ts';
import {
  formatCount,
  formatDuration,
  formatNumber,
  formatRate,
  formatShare,
} from '../../../src/core/units.ts';
import { sampleRecord } from '../../support/sample-record.ts';

/** Two devices and four trajectories. */
function fourTrajectories(): SummarizedRun {
  const steps = sampleRecord.events.filter((event) => event.kind === 'step');
  const cpu = steps.map(({ kind, step }): RunEvent => ({
    kind,
    step: { ...step, device: 'cpu', deviceId: 'cpu', seconds: step.seconds.map((s) => s * 1.37) },
  }));
  const { schema: _schema, events, environment, ...header } = sampleRecord;
  const all = [...events, ...cpu];
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
  return {
    ...header,
    label: 'a two-core machine',
    summary: summary({ ...sampleRecord, environment: { ...environment, userAgent }, events: all }),
  };
}

async function decoded(text: string) {
  const parsed = await decodeLink(text);
  if (parsed.kind !== 'ok') throw new Error(`refused: ${JSON.stringify(parsed.errors)}`);
  return parsed.value;
}

/** A ceiling with every number within 0.05 %, as a link keeps it. */
function near(ceiling: Ceiling): unknown {
  return Object.fromEntries(
    Object.entries(ceiling).map(([key, value]) => [
      key,
      typeof value === 'number' ? (expect.closeTo(value, 3 - Math.log10(value)) as unknown) : value,
    ]),
  );
}

describe('a full link', () => {
  test('keeps header, devices, ceilings and points of two devices and four trajectories in 4 KB', async () => {
    const run = fourTrajectories();
    const text = await encodeLink(run, 'full');
    expect(text.length).toBeLessThanOrEqual(longestLink.full);
    expect(text).toMatch(/^[\w-]+$/);
    const shared = await decoded(text);
    expect(shared).toMatchObject({
      form: 'full',
      app: run.app,
      startedAt: run.startedAt,
      label: run.label,
      config: run.config,
    });
    const { environment, rooflines, trajectories } = shared.summary;
    expect(environment.userAgent).toBe(run.summary.environment.userAgent);
    const limits = {};
    expect(environment.devices).toEqual(
      run.summary.environment.devices.map((device) =>
        device.device === 'gpu' ? { ...device, limits } : device,
      ),
    );
    for (const [index, roofline] of run.summary.rooflines.entries()) {
      const { compute, bandwidth } = rooflines[index] ?? {};
      expect(compute).toEqual(roofline.compute.map(near));
      expect(bandwidth).toEqual(roofline.bandwidth.map(near));
      expect(rooflines[index]?.ridge.length).toBe(roofline.ridge.length);
    }
    expect(trajectories).toHaveLength(4);
    for (const [index, trajectory] of run.summary.trajectories.entries())
      for (const [place, point] of trajectory.points.entries()) {
        const other = trajectories[index]?.points[place];
        expect(other?.value).toBe(point.value);
        expect(other?.samples).toBe(point.samples);
        for (const key of ['seconds', 'flopsPerSecond', 'intensity', 'imagesPerSecond'] as const)
          expect((other?.[key] ?? 0) / point[key], key).toBeCloseTo(1, 3);
      }
    expect(trajectories.map(({ segments }) => segments.map(({ kind }) => kind))).toEqual(
      run.summary.trajectories.map(({ segments }) => segments.map(({ kind }) => kind)),
    );
  });

  test('of what came by link is the same link', async () => {
    const text = await encodeLink(fourTrajectories(), 'full');
    expect(await encodeLink(await decoded(text), 'full')).toBe(text);
  });

  test('leaves out detail rather than pass 4 KB', async () => {
    const run = fourTrajectories();
    const many = Array.from({ length: 16 }, (_, index) =>
      run.summary.rooflines.map((roofline) => ({
        ...roofline,
        threads: index + 1,
        compute: roofline.compute.map((ceiling) => ({
          ...ceiling,
          variant: `${ceiling.variant} ${Math.sin(index)}`,
          value: ceiling.value * (1 + Math.sin(index * 7) / 3),
        })),
      })),
    ).flat();
    const large = { ...run, summary: { ...run.summary, rooflines: many } };
    const text = await encodeLink(large, 'full');
    expect(text.length).toBeLessThanOrEqual(longestLink.full);
    expect((await decoded(text)).summary.trajectories).toHaveLength(4);
  });
});

test('a card keeps the roof and one trajectory of each device in 900 characters', async () => {
  const text = await encodeLink(fourTrajectories(), 'card');
  expect(text.length).toBeLessThanOrEqual(longestLink.card);
  const { form, summary: kept } = await decoded(text);
  expect(form).toBe('card');
  expect(kept.environment.userAgent).toBe('Firefox 153 on Linux');
  for (const device of ['gpu', 'cpu'] as const) {
    const roofline = kept.rooflines.find((candidate) => candidate.device === device);
    expect(roofline?.compute.map(({ id }) => id)).toEqual(['compute.f32']);
    expect(roofline?.bandwidth.length).toBeGreaterThan(0);
    const own = kept.trajectories.filter((trajectory) => trajectory.device === device);
    expect(own.map(({ parameter }) => parameter)).toEqual(['batch']);
    expect(own[0]?.points.length).toBeGreaterThanOrEqual(4);
  }
});

/** What the page's tables show of a run, row by row. */
function shownFigures({ rooflines, trajectories }: RunSummary): readonly string[] {
  const ofRooflines = rooflines.flatMap(({ compute, bandwidth }) => [
    ...[...compute, ...bandwidth].map(({ value, ciLow, ciHigh, unit }) =>
      [value, ciLow, ciHigh].map((rate) => formatRate(rate, unit)).join(' '),
    ),
    ...ridgePoints(compute, bandwidth).map(({ intensity }) => formatNumber(intensity)),
  ]);
  const ofPoints = wholeSteps(trajectories).flatMap((trajectory) =>
    trajectory.points.map((point) => {
      const { issued, atLeast } = intensitiesOf(point, rooflineOf(trajectory, rooflines));
      return [
        formatDuration(point.seconds),
        formatCount(point.imagesPerSecond),
        formatRate(point.flopsPerSecond, 'flop/s'),
        ...[point.intensity, issued ?? 0, atLeast ?? 0].map(formatNumber),
        ...[point.roofFraction ?? 0, point.bound?.memory ?? 0].map(formatShare),
      ].join(' ');
    }),
  );
  const words = wholeSteps(trajectories).flatMap(({ segments }) =>
    segments.map(({ reading }) => reading),
  );
  return [...ofRooflines, ...ofPoints, ...words];
}

test('a full link shows the figures of its run, rounded once', async () => {
  const { schema: _schema, events, environment: _environment, ...header } = sampleRecord;
  await fc.assert(
    fc.asyncProperty(fc.double({ min: 1, max: 2, noNaN: true }), async (factor) => {
      const slower = events.map((event): RunEvent => {
        if (event.kind !== 'step') return event;
        const { step } = event;
        const seconds = step.seconds.map((time) => time * factor);
        return { kind: 'step', step: { ...step, seconds, issuedBytes: 123_456_789 * step.batch } };
      });
      const run = { ...header, summary: summary({ ...sampleRecord, events: slower }) };
      const shared = await decoded(await encodeLink(run, 'full'));
      expect(shownFigures(shared.summary)).toEqual(shownFigures(run.summary));
    }),
    { numRuns: 25, seed: 8 },
  );
});

test.each(['chrome-156-on-linux-quick', 'firefox-153-on-linux-quick'])(
  'the links of a real run fit: %s',
  async (name) => {
    const parsed = parseRecord(readFileSync(`public/reference/${name}.json`, 'utf8'));
    if (parsed.kind !== 'ok') throw new Error(`${name} is no run`);
    const { schema: _schema, events: _events, environment: _environment, ...header } = parsed.value;
    const run = { ...header, summary: summary(parsed.value) };
    const full = await encodeLink(run, 'full');
    expect(full.length).toBeLessThanOrEqual(longestLink.full);
    expect(shownFigures((await decoded(full)).summary)).toEqual(shownFigures(run.summary));
    const card = await encodeLink(run, 'card');
    expect(card.length).toBeLessThanOrEqual(longestLink.card);
    for (const { points } of (await decoded(card)).summary.trajectories)
      expect(points.length).toBeGreaterThanOrEqual(4);
  },
);

describe('rows', () => {
  test('hold any measured number at the digits asked for', () => {
    const measured = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(measured, fc.integer({ min: 4, max: 17 }), (value, digits) => {
        expect(Number(measuredRow(digits, value))).toBe(Number(value.toPrecision(digits)));
      }),
    );
  });
});

describe('packing', () => {
  test('returns any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 400 }), async (text) => {
        expect(await inflateText(await deflateText(text), 10_000)).toBe(text.toWellFormed());
      }),
    );
  });

  test('ends where the text is longer than allowed', async () => {
    const packed = await deflateText('a'.repeat(1000));
    expect(await inflateText(packed, 1000)).toHaveLength(1000);
    expect(await inflateText(packed, 999)).toBeUndefined();
  });
});

describe('whatever the text, decoding returns', () => {
  const refusal = { kind: 'invalid', errors: [{ field: 'link' }] };

  test('of any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 200 }), async (text) => {
        expect(await decodeLink(text)).toMatchObject(refusal);
      }),
    );
  });

  test('of a link cut short or with any character changed', async () => {
    const text = await encodeLink(fourTrajectories(), 'card');
    const whole = await decodeLink(text);
    let same = 0;
    for (let index = 0; index < text.length; index += 1) {
      expect(await decodeLink(text.slice(0, index))).toMatchObject(refusal);
      for (const character of 'Az0-_!') {
        const changed = text.slice(0, index) + character + text.slice(index + 1);
        if (changed === text) continue;
        const read = await decodeLink(changed);
        if (read.kind === 'ok') {
          expect(read).toEqual(whole);
          same += 1;
        } else expect(read).toMatchObject(refusal);
      }
    }
    // DEFLATE fills its last byte before the checksum with bits that say nothing: 7 at the most.
    expect(same).toBeLessThanOrEqual(10);
  });

  test('of a text that unpacks without end, long before it has', async () => {
    const bomb = await deflateText('0'.repeat(40_000_000));
    expect(bomb.length).toBeLessThan(2 ** 16);
    expect(await decodeLink(bomb)).toMatchObject(refusal);
  });

  test('of JSON of any shape', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (data) => {
        expect(await decodeLink(await deflateText(JSON.stringify(data)))).toMatchObject(refusal);
      }),
    );
  });

  test('of a link with one part replaced', async () => {
    const json = await inflateText(await encodeLink(fourTrajectories(), 'full'), 1e6);
    const parts = JSON.parse(json ?? '') as readonly unknown[];
    await fc.assert(
      fc.asyncProperty(fc.nat(parts.length - 1), fc.jsonValue(), async (index, value) => {
        const changed = await deflateText(JSON.stringify(parts.with(index, value)));
        const parsed = await decodeLink(changed);
        // What is taken can be read and written: nothing in it is of another type.
        if (parsed.kind === 'ok')
          expect(await encodeLink(parsed.value, 'full')).toBeTypeOf('string');
        else expect(parsed).toMatchObject(refusal);
      }),
    );
  });

  test.each([
    '-1 1 1 - - -',
    '1 NaN 1 1 - -',
    '1 1e999 1 1 - -',
    '1 1 1',
    '1 0x10 1 1 - -',
    '1 0 0 0 - -',
  ])('of a ceiling whose numbers are "%s"', async (row) => {
    const json = await inflateText(await encodeLink(fourTrajectories(), 'full'), 1e6);
    const parts = JSON.parse(json ?? '') as [...unknown[]];
    const rooflines = [['gpu', 'x', 0, [['compute.f32', 'f32', 'f32', row, '', 'clock', []]], []]];
    const changed = await deflateText(JSON.stringify(parts.with(8, rooflines)));
    expect(await decodeLink(changed)).toMatchObject(refusal);
  });
});

test('a pasted address gives its link', () => {
  expect(linkTextOf('see https://example.org/rooftrace/?view=compare#r=aB-_9 .')).toBe('aB-_9');
  expect(linkTextOf('https://example.org/#other')).toBeUndefined();
});
