import { modelsAlong, modelSize } from '../nn/modelSize.ts';
import type { ModelName } from '../nn/zoo.ts';
import type { SweepParameter } from '../run/config.ts';
import type { StepConfiguration } from '../run/events.ts';

/** Which step is to be run, and how. */
export interface StepSetting extends StepConfiguration {
  readonly model: ModelName;
  readonly scaling?: 'strong' | 'weak';
}

/** One parameter's sweep: which values, and what stays the same. */
export interface Sweep {
  readonly parameter: SweepParameter;
  /** What is held fixed; a value replaces the parameter's own part. */
  readonly base: StepSetting;
  /** Rising; all are visited. */
  readonly values: readonly number[];
  /** After them the value doubles while it pays, up to this one. */
  readonly doublesTo?: number;
}

/** What bounds a sweep on a device. */
export interface SweepBounds {
  /** Images a step that fit its memory. */
  readonly largestBatch: number;
  /** The most tiles of any kernel call: more workgroups change nothing. */
  readonly mostTiles?: number;
  /** Where powers of two up to there are more values than this, workgroups take powers of four. */
  readonly mostWorkgroupValues?: number;
  /** Lanes a workgroup that the kernels can have, rising. */
  readonly workgroupSizes?: readonly number[];
  /** Logical cores. */
  readonly cores?: number;
}

/** A batch sweep goes this far at the least, where memory and time allow. */
const batchAtLeast = 32;

/** The sweep of a parameter from a base setting; without values where the device has none to vary. */
export function sweepOf(
  parameter: SweepParameter,
  base: StepSetting,
  {
    largestBatch,
    mostTiles = 0,
    mostWorkgroupValues = Infinity,
    workgroupSizes = [],
    cores = 0,
  }: SweepBounds,
): Sweep {
  switch (parameter) {
    case 'batch':
      return {
        parameter,
        base,
        values: doublings(Math.min(batchAtLeast, largestBatch)),
        doublesTo: largestBatch,
      };
    case 'workgroups': {
      const powers = doublings(mostTiles);
      const isLong = powers.length > mostWorkgroupValues;
      const values = isLong ? powers.filter((_, power) => power % 2 === 0) : powers;
      return { parameter, base, values: withEnd(values, mostTiles) };
    }
    case 'workgroupSize':
      return { parameter, base, values: workgroupSizes };
    case 'threads': {
      const most = Math.floor(cores / (base.replicas ?? 1));
      return { parameter, base, values: withEnd(doublings(most), most) };
    }
    case 'replicas': {
      const most = Math.min(Math.floor(cores / (base.threads ?? 1)), mostReplicas(base));
      return { parameter, base, values: withEnd(doublings(most), most) };
    }
    case 'depth':
    case 'width':
      return {
        parameter,
        base,
        values: modelsAlong(base.model, parameter).flatMap(
          (model) => modelSize(model)?.[parameter] ?? [],
        ),
      };
  }
}

/** The setting of one value of a sweep. */
export function settingAt({ parameter, base }: Sweep, value: number): StepSetting {
  switch (parameter) {
    case 'batch':
    case 'workgroups':
    case 'workgroupSize':
    case 'threads':
      return { ...base, [parameter]: value };
    case 'replicas': {
      const batch = base.scaling === 'weak' ? base.batch * value : base.batch;
      return { ...base, batch, replicas: value };
    }
    case 'depth':
    case 'width': {
      const found = modelsAlong(base.model, parameter).find(
        (model) => modelSize(model)?.[parameter] === value,
      );
      if (found === undefined)
        throw new RangeError(`no model of ${parameter} ${value} beside ${base.model}`);
      return { ...base, model: found };
    }
  }
}

/**
 * Whether a larger value takes longer, a smaller one, or neither is known before: the end from
 * which a sweep begins is the quick one, and after a value that takes too long no harder is tried.
 */
export function hardEnd(parameter: SweepParameter): 'largest' | 'smallest' | 'neither' {
  switch (parameter) {
    case 'batch':
    case 'depth':
    case 'width':
      return 'largest';
    case 'workgroups':
    case 'threads':
      return 'smallest';
    case 'workgroupSize':
    case 'replicas':
      return 'neither';
  }
}

/** Every replica has an image at least. */
function mostReplicas({ batch, scaling }: StepSetting): number {
  return scaling === 'weak' ? Infinity : batch;
}

/** 1, 2, 4 ... up to `most`; none below 1. */
function doublings(most: number): number[] {
  const values: number[] = [];
  for (let value = 1; value <= most; value *= 2) values.push(value);
  return values;
}

function withEnd(values: readonly number[], end: number): readonly number[] {
  return end < 1 || values.includes(end) ? values : [...values, end];
}
