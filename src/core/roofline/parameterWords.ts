import type { SweepParameter } from '../run/config.ts';
import { formatInteger } from '../units.ts';
import type { Trajectory } from './types.ts';

/** One and several of what a parameter counts. */
const counted: Readonly<
  Record<Exclude<SweepParameter, 'batch' | 'depth' | 'width'>, readonly [string, string]>
> = {
  workgroups: ['workgroup', 'workgroups'],
  workgroupSize: ['lane a workgroup', 'lanes a workgroup'],
  threads: ['thread', 'threads'],
  replicas: ['replica', 'replicas'],
};

/** `workgroup size`: the parameter itself in a sentence. */
export function parameterName(parameter: SweepParameter): string {
  return parameter === 'workgroupSize' ? 'workgroup size' : parameter;
}

/** `batch 8`, `1 workgroup`, `4,096 workgroups`. */
export function parameterLabel(parameter: SweepParameter, value: number): string {
  const number = formatInteger(value);
  switch (parameter) {
    case 'batch':
    case 'depth':
    case 'width':
      return `${parameter} ${number}`;
    case 'workgroups':
    case 'workgroupSize':
    case 'threads':
    case 'replicas':
      return `${number} ${counted[parameter][value === 1 ? 0 : 1]}`;
  }
}

/** What a trajectory holds fixed: `batch 8, 2 threads`; empty where nothing is. */
export function fixedInWords({ scaling, ...fixed }: Trajectory['fixed']): string {
  const parts = (Object.keys(fixed) as (keyof typeof fixed)[]).flatMap((parameter) => {
    const value = fixed[parameter];
    return value === undefined ? [] : [parameterLabel(parameter, value)];
  });
  return [...parts, ...(scaling === undefined ? [] : [`${scaling} scaling`])].join(', ');
}
