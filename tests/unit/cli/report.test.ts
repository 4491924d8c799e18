import { expect, test } from 'vitest';
import { report } from '../../../src/cli/report.ts';
import type { Sample } from '../../../src/core/roofline/sample.ts';
import { summary } from '../../../src/core/run/summary.ts';
import { sampleRecord } from '../../support/sample-record.ts';
import { computeSample } from '../roofline/samples.ts';

test('what a device lacks stands below its ceilings once, with the reason; what failed does not', () => {
  const lacking: Sample = {
    ...computeSample(1e9),
    probe: 'fma',
    variant: 'none',
    measured: { kind: 'compute', precision: 'f16', flops: 0 },
    seconds: [],
    status: 'unsupported',
    reason: 'the device has no shader-f16',
  };
  const failed: Sample = { ...computeSample(1e9), status: 'failed', reason: 'wrong sums' };
  const told = [lacking, failed, lacking].map((sample) => ({ kind: 'sample', sample }) as const);
  const text = report(summary(sampleRecord), [], told);
  expect(text.split('\n\n')).toContain(
    'not on this device: GPU f16 fma: the device has no shader-f16',
  );
  expect(report(summary(sampleRecord))).not.toContain('not on this device');
});

test('the longest work is told as timed and as planned, as far as the file has it', () => {
  const longest = { passSeconds: 0.15, submitSeconds: 0.2 };
  const timed = { kind: 'longest', device: 'gpu', longest } as const;
  const planned = { ...timed, longest: { ...longest, plannedDispatchSeconds: 0.044 } };
  const lines = report(summary(sampleRecord), [], [timed, planned]).split('\n\n');
  expect(lines).toContain('GPU, longest: pass 150 ms; submit 200 ms');
  expect(lines).toContain('GPU, longest: pass 150 ms; submit 200 ms; planned dispatch 44.0 ms');
});
