import {
  chainFlops,
  chainMoves,
  chainOpenings,
  describeChainVariant,
  type ChainVariant,
} from '../../core/probes/chainVariant.ts';
import { coordinateDescent } from '../../core/probes/race.ts';
import { doubleUntilSaturated } from '../../core/probes/saturation.ts';
import type { GpuContext } from '../context.ts';
import { ChainKernel } from './chainKernel.ts';
import { runTrial, type Entrant } from './trial.ts';

/** Pipelines and seconds that a race may take, and seconds for its end. */
const budgets = {
  quick: { pipelines: 16, raceSeconds: 4, finalSeconds: 2.5 },
  full: { pipelines: 48, raceSeconds: 20, finalSeconds: 10 },
} as const;

/** Runs of n units; those of 2n stay well under the 50 ms of a watchdog. */
const search = { seconds: 0.008, pairs: 1 };
const race = { seconds: 0.008, pairs: 2 };
const final = { seconds: 0.012, pairs: 4 };
const finalists = 3;

/** Lanes to begin with, and the most: their result words fit any device's limits. */
const lanesRange = { least: 512, most: 2 ** 20 };
/**
 * Finds the f32 compute ceiling: races the shapes of a multiply-add kernel and measures the best to
 * their confidence intervals. Every trial is told as a sample, refused ones as `failed`.
 */
export async function fmaProbe(context: GpuContext): Promise<void> {
  const budget = budgets[context.config.profile];
  const begin = performance.now();
  const spent = () => (performance.now() - begin) / 1000;
  const tell = (share: number) => context.progress('f32 arithmetic', Math.min(1, share));

  const lanes = await doubleUntilSaturated(lanesRange, (count) =>
    runTrial(context, entrant(context, chainOpenings[0], count), search),
  );
  const mostWorkgroupSize = context.environment.limits['maxComputeInvocationsPerWorkgroup'] ?? 64;
  const order = coordinateDescent(chainOpenings, chainMoves(mostWorkgroupSize), budget.pipelines);
  let tried = 0;
  let next = order.next();
  while (!next.done) {
    tell(0.6 * Math.max(tried / budget.pipelines, spent() / budget.raceSeconds));
    // Out of time: what is left scores nothing, which ends the descent.
    const inTime = tried < chainOpenings.length || spent() < budget.raceSeconds;
    const score = inTime ? await runTrial(context, entrant(context, next.value, lanes), race) : 0;
    tried += 1;
    next = order.next(score);
  }

  const ranking: { readonly variant: ChainVariant; readonly rate: number }[] = [];
  for (const [index, variant] of next.value.slice(0, finalists).entries()) {
    tell(0.6 + (0.2 * index) / finalists);
    ranking.push({
      variant,
      rate: await runTrial(context, entrant(context, variant, lanes), final),
    });
  }
  const winner = ranking.toSorted((a, b) => b.rate - a.rate)[0];
  tell(0.8);
  if (winner !== undefined && winner.rate > 0) {
    const effort = { ...final, settleSeconds: budget.finalSeconds };
    await runTrial(context, entrant(context, winner.variant, lanes), effort);
  }
}

function entrant({ queue }: GpuContext, variant: ChainVariant, lanes: number): Entrant {
  return {
    probe: 'fma',
    variant: describeChainVariant(variant, lanes),
    measured: (segments) => ({
      kind: 'compute',
      precision: 'f32',
      flops: chainFlops(variant, lanes, segments),
    }),
    create: () => ChainKernel.create(queue, variant, lanes),
  };
}
