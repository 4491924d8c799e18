import * as v from 'valibot';
import type { Parsed } from '../run/config.ts';

const spread = v.object({ deviation: v.number(), degrees: v.number() });
const groups = v.object({
  compute: v.exactOptional(spread),
  bandwidth: v.exactOptional(spread),
  ridge: v.exactOptional(spread),
  training: v.exactOptional(spread),
});
const table = v.object({ gpu: groups, cpu: groups });

const schema = v.object({
  /** Runs of ours, each with its machine in words. */
  runs: v.array(v.object({ file: v.string(), name: v.string(), machine: v.string() })),
  /** What repeated runs under a profile on one machine showed; see `measuredSpread`. */
  spreads: v.object({
    quick: v.exactOptional(table),
    full: v.exactOptional(table),
    sustained: v.exactOptional(table),
  }),
});

/** What comes with the app to compare with: real runs, and how far repeated runs lie apart. */
export type ReferenceIndex = v.InferOutput<typeof schema>;
export type ReferenceRun = ReferenceIndex['runs'][number];

/** Reads `public/reference/index.json`. */
export function parseReferenceIndex(data: unknown): Parsed<ReferenceIndex> {
  const parsed = v.safeParse(schema, data);
  if (parsed.success) return { kind: 'ok', value: parsed.output };
  const [issue] = parsed.issues;
  return {
    kind: 'invalid',
    errors: [
      {
        field: v.getDotPath(issue) ?? 'reference/index.json',
        value: issue.received,
        expected: issue.expected ?? 'another value',
      },
    ],
  };
}
