import type { PlanOp } from '../../core/nn/plan.ts';
import { elementSize, ranges, type OpCall } from './opCall.ts';

const tileLength = 4096;

/** Decaying parameters, then the others, whose decay is 0. */
export function momentumUpdate({
  length,
  decayLength,
}: Extract<PlanOp, { kind: 'momentum.update' }>): OpCall {
  const decaying = ranges(decayLength, tileLength);
  const others = ranges(length - decayLength, tileLength);
  return {
    sharedSize: 0,
    ownSize: 0,
    phases: ({ functions, parameters, gradients, velocities }) => [
      {
        tiles: decaying.tiles + others.tiles,
        run(tile, { learningRate, momentum, weightDecay }) {
          const decays = tile < decaying.tiles;
          const part = decays ? decaying.at(tile) : others.at(tile - decaying.tiles);
          const at = ((decays ? 0 : decayLength) + part.first) * elementSize;
          functions.momentumUpdate(
            parameters + at,
            gradients + at,
            velocities + at,
            part.length,
            learningRate,
            momentum,
            decays ? weightDecay : 0,
          );
        },
      },
    ],
  };
}
