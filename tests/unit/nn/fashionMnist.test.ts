import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  decodeFashionImages,
  decodeFashionLabels,
  fashionFiles,
  parseFashionManifest,
} from '../../../src/core/nn/fashionMnist.ts';

const folder = new URL('../../../public/data/fashion-mnist/', import.meta.url);

function unpack(file: string): Uint8Array {
  return gunzipSync(readFileSync(new URL(file, folder)));
}

const manifest: unknown = JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8'));

describe('the shipped files', () => {
  const parsed = parseFashionManifest(manifest);
  const files = Object.values(fashionFiles).flatMap(({ images, labels }) => [images, labels]);

  test.each(files)('%s is what the manifest says', (file) => {
    const entry = parsed.kind === 'ok' ? parsed.value[file] : undefined;
    const bytes = unpack(file);
    expect(entry).toEqual({
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
  });

  test.each(Object.values(fashionFiles))('$images holds $count images', (split) => {
    expect(unpack(split.images).length).toBe(split.count * 28 * 28);
    expect(Math.max(...unpack(split.labels))).toBe(9);
  });
});

function normalised(grey: number): number {
  return (grey / 255 - 0.286) / 0.353;
}

describe('decoding', () => {
  // Image i is filled with the grey 10 i, but for its first pixel, 255.
  const bytes = Uint8Array.from({ length: 3 * 28 * 28 }, (_, at) =>
    at % (28 * 28) === 0 ? 255 : 10 * Math.floor(at / (28 * 28)),
  );
  test('normalises, then pads with zeros', () => {
    const images = decodeFashionImages(bytes, 3);
    expect(images.length).toBe(3 * 32 * 32);
    for (const [image, y, x, value] of [
      [0, 0, 0, 0],
      [1, 1, 16, 0],
      [1, 16, 30, 0],
      [2, 31, 31, 0],
      [1, 2, 2, normalised(255)],
      [1, 2, 3, normalised(10)],
      [0, 29, 29, normalised(0)],
      [2, 29, 29, normalised(20)],
    ] as const)
      expect(images[(image * 32 + y) * 32 + x]).toBeCloseTo(value, 12);
  });

  test('at 28 there is no padding', () => {
    expect(decodeFashionImages(bytes, 3, 28)[28 * 28 + 1]).toBeCloseTo(normalised(10), 12);
  });

  test('refuses to read past the end', () => {
    expect(() => decodeFashionImages(bytes, 4)).toThrow(/4 images need 3136 bytes, not 2352/);
    expect(() => decodeFashionLabels(Uint8Array.of(1, 2), 3)).toThrow(/3 labels need 3 bytes/);
  });
});

describe('the manifest', () => {
  test.each([
    ['train-8192-images.u8.gz', {}],
    ['a.bytes', { a: { bytes: -1, sha256: 'a'.repeat(64) } }],
    ['a.sha256', { a: { bytes: 1, sha256: 'A'.repeat(64) } }],
    ['the file', null],
  ])('a bad one names %s', (field, json) => {
    const parsed = parseFashionManifest(json);
    const errors = parsed.kind === 'invalid' ? parsed.errors : [];
    expect(errors.map((error) => error.field)).toContain(field);
  });
});
