import { devicesOf, sweepsOf, type RunConfig } from '../core/run/config.ts';
import { ArgumentError } from './arguments.ts';

/**
 * The sweeps that none of a run's devices has, in a line for who asked for them; undefined where there
 * are none. Throws an ArgumentError where no sweep is left: such a run would train nothing.
 */
export function idleSweeps({
  device,
  sweeps,
}: Pick<RunConfig, 'device' | 'sweeps'>): string | undefined {
  const known = new Set(devicesOf(device).flatMap((each) => sweepsOf[each]));
  const idle = sweeps.filter((sweep) => !known.has(sweep));
  if (idle.length === 0) return undefined;
  const devices = devicesOf(device).join(' and ');
  const line = `--sweep: ${idle.join(', ')} cannot grow on the ${devices}, which has ${[...known].join(', ')}`;
  if (idle.length === sweeps.length) throw new ArgumentError(line);
  return line;
}
