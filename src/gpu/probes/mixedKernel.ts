import { sampledLanes } from '../../core/probes/chainCheck.ts';
import { chainOperands, type Rounding } from '../../core/probes/fmaEmulation.ts';
import {
  mixedEndWord,
  mixedEndWords,
  mixedLaneSum,
  mixedLineSize,
  mixedWordIndex,
} from '../../core/probes/mixed.ts';
import type { MixedVariant, UnrolledShape } from '../../core/probes/mixedVariant.ts';
import { patternWord } from '../../core/probes/streamData.ts';
import type { GpuQueue } from '../queue.ts';
import { LaneSumKernel, total } from './laneSumKernel.ts';

const roundings: readonly Rounding[] = ['fused', 'separate'];
/**
 * Each dispatch also begins and ends every lane's work, which is a tenth of a run of few lines; and what
 * it loads may be in a cache. Folded work would take as long as half of it.
 */
const linearWithin = 1.25;
/** Lanes whose first stored line is looked at. */
const checkedLines = 6;

/** The arrays of the knee: of equal size, a power of two of lines. */
export interface MixedBuffers {
  readonly source: GPUBuffer;
  readonly destination: GPUBuffer;
}

/**
 * The knee's kernel in one shape; its unit is a line of every lane. `pipeline` must be the variant's
 * for that shape, and `lanes` a power of two and a multiple of the workgroup size.
 */
export function createMixedKernel(
  queue: GpuQueue,
  variant: MixedVariant,
  shape: UnrolledShape,
  lanes: number,
  { source, destination }: MixedBuffers,
  pipeline: GPUComputePipeline,
): Promise<LaneSumKernel> {
  const { form, layout, pattern, workgroupSize } = variant;
  const linesInSet = source.size / mixedLineSize / lanes;
  const ends = roundings.map((rounding) => mixedEndWords(shape, form, rounding));
  const { a, b } = chainOperands[form];
  const coefficients = new Uint32Array(Float32Array.of(a, b).buffer);
  const isCopy = pattern === 'copy';
  return LaneSumKernel.create(queue, {
    pipeline,
    workgroups: lanes / workgroupSize,
    words: lanes,
    kept: lanes,
    linearWithin,
    parameters: (lines) =>
      Uint32Array.of(lines, linesInSet - 1, shape.segments, ...coefficients, 0, 0, 0),
    data: (isCopy ? [source, destination] : [source]).map((buffer) => ({ buffer })),
    expected: (lane, done, begun) =>
      ends.map((ofRounding) =>
        mixedLaneSum({ shape, layout, ends: ofRounding }, { lanes, linesInSet }, lane, {
          first: begun,
          lines: total(done),
        }),
      ),
    ...(isCopy && {
      stored: (begun) => ({
        buffer: destination,
        words: sampledLanes(lanes, checkedLines).flatMap((lane) =>
          [0, 1, 2, 3].map((column) => {
            const index = mixedWordIndex(layout, lanes, lane, begun % linesInSet, column);
            const isWorked = column < shape.columns;
            const word = patternWord(index);
            return { index, expected: ends.map((of) => mixedEndWord(isWorked, of, word)) };
          }),
        ),
      }),
    }),
  });
}
