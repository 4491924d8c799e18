import * as v from 'valibot';
import type { InputError, Parsed } from '../run/config.ts';
import type { ImageShape } from './plan.ts';

/** Facts of public/data/fashion-mnist/README.md: sizes in bytes are those after unpacking. */
const side = 28;
const mean = 0.286;
const deviation = 0.353;

/** The images as they are trained on: padded to 32 x 32, grey. */
export const fashionShape: ImageShape = { height: 32, width: 32, channels: 1 };

export type FashionSplit = 'train' | 'test';

export const fashionFiles = {
  train: { images: 'train-8192-images.u8.gz', labels: 'train-8192-labels.u8.gz', count: 8192 },
  test: { images: 'test-2048-images.u8.gz', labels: 'test-2048-labels.u8.gz', count: 2048 },
} as const satisfies Record<FashionSplit, { images: string; labels: string; count: number }>;

/** A split as it is stored, unpacked: one byte a pixel, one byte a label. */
export interface FashionBytes {
  readonly images: Uint8Array;
  readonly labels: Uint8Array;
}

const manifestSchema = v.record(
  v.string(),
  v.object({
    bytes: v.pipe(v.number(), v.integer(), v.minValue(1)),
    sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'expected 64 hexadecimal digits')),
  }),
);

/** Size in bytes and SHA-256 of each file once unpacked, by file name. */
export type FashionManifest = v.InferOutput<typeof manifestSchema>;

/** Checks a parsed manifest.json; it has to name every file of both splits. */
export function parseFashionManifest(json: unknown): Parsed<FashionManifest> {
  const parsed = v.safeParse(manifestSchema, json);
  if (!parsed.success) return { kind: 'invalid', errors: issuesAsErrors(parsed.issues) };
  const missing = Object.values(fashionFiles)
    .flatMap(({ images, labels }) => [images, labels])
    .filter((file) => !(file in parsed.output));
  if (missing.length === 0) return { kind: 'ok', value: parsed.output };
  return {
    kind: 'invalid',
    errors: missing.map((field) => ({ field, value: 'nothing', expected: 'an entry' })),
  };
}

/** What a schema refused, as errors that name the field. */
export function issuesAsErrors(issues: readonly v.BaseIssue<unknown>[]): readonly InputError[] {
  return issues.map((issue) => ({
    field: v.getDotPath(issue) ?? 'the file',
    value: issue.received === 'undefined' ? 'missing' : issue.received,
    expected: issue.expected ?? issue.message,
  }));
}

/**
 * The first `count` images as NHWC, [count, size, size, 1]: normalised, then padded with zeros on
 * every side to `size` x `size` (28 or more, even).
 */
export function decodeFashionImages(bytes: Uint8Array, count: number, size = 32): Float64Array {
  if (bytes.length < count * side * side)
    throw new RangeError(`${count} images need ${count * side * side} bytes, not ${bytes.length}`);
  const padding = (size - side) / 2;
  const images = new Float64Array(count * size * size);
  for (let image = 0; image < count; image += 1)
    for (let y = 0; y < side; y += 1)
      for (let x = 0; x < side; x += 1) {
        const pixel = bytes[(image * side + y) * side + x]!;
        const at = (image * size + y + padding) * size + x + padding;
        images[at] = (pixel / 255 - mean) / deviation;
      }
  return images;
}

/** The first `count` labels, each 0 to 9. */
export function decodeFashionLabels(bytes: Uint8Array, count: number): Uint32Array {
  if (bytes.length < count)
    throw new RangeError(`${count} labels need ${count} bytes, not ${bytes.length}`);
  return Uint32Array.from(bytes.subarray(0, count));
}
