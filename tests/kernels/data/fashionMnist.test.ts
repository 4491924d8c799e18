import { afterEach, describe, expect, test, vi } from 'vitest';
import { DataError, loadFashionMnist } from '../../../src/data/fashionMnist.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

type Answer = (bytes: Uint8Array<ArrayBuffer>) => BodyInit | Promise<BodyInit>;

/** The real server, with what it sends for one file changed on the way. */
function alter(file: string, answer: Answer): void {
  const real = globalThis.fetch;
  vi.stubGlobal('fetch', async (input: URL) => {
    const response = await real(input);
    if (!input.pathname.endsWith(file)) return response;
    return new Response(await answer(new Uint8Array(await response.arrayBuffer())));
  });
}

function gzipped(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

describe('Fashion-MNIST over the network', () => {
  test('arrives decoded', async () => {
    const { shape, count, images, labels } = await loadFashionMnist('test', 5);
    expect({ shape, count }).toEqual({ shape: { height: 32, width: 32, channels: 1 }, count: 5 });
    expect(images.length).toBe(5 * 32 * 32);
    // The test set begins with ankle boot, pullover, trouser, trouser, shirt.
    expect([...labels]).toEqual([9, 2, 1, 1, 6]);
    expect(images[0]).toBe(0);
    expect(images[2 * 32 + 2]).toBeCloseTo((0 - 0.286) / 0.353, 6);
  });

  test('is the same where the server inflates and where it does not', async () => {
    const plain = await loadFashionMnist('test', 3);
    alter('images.u8.gz', async (bytes) => (bytes[0] === 0x1f ? bytes : gzipped(bytes)));
    expect(await loadFashionMnist('test', 3)).toEqual(plain);
  });

  test.each([
    ['a changed byte', 'images.u8.gz', (bytes: Uint8Array) => bytes.slice().fill(7, 100, 101)],
    ['a missing end', 'labels.u8.gz', (bytes: Uint8Array) => bytes.slice(0, -1)],
    ['a page instead of the manifest', 'manifest.json', () => '<!doctype html>'],
    ['an empty manifest', 'manifest.json', () => '{}'],
  ])('%s is refused', async (_, file, answer) => {
    alter(file, answer as Answer);
    await expect(loadFashionMnist('test', 3)).rejects.toThrow(DataError);
  });

  test('a missing file says which, and what to do', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('', { status: 404 })));
    const error = await loadFashionMnist('train', 1).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DataError);
    expect(error).toMatchObject({ message: expect.stringContaining('manifest.json') as string });
    expect((error as DataError).advice).toContain('connection');
  });

  test.each([0, 2049, NaN])('%d images are out of range', async (count) => {
    await expect(loadFashionMnist('test', count)).rejects.toThrow(RangeError);
  });
});
