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
  const text = report(summary(sampleRecord), [], [lacking, failed, lacking]);
  expect(text.split('\n\n')).toContain(
    'not on this device: GPU f16 fma: the device has no shader-f16',
  );
  expect(report(summary(sampleRecord))).not.toContain('not on this device');
});
