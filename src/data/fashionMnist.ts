import {
  decodeFashionImages,
  decodeFashionLabels,
  fashionFiles,
  fashionShape,
  parseFashionManifest,
  type FashionBytes,
  type FashionManifest,
  type FashionSplit,
} from '../core/nn/fashionMnist.ts';
import type { ImageShape } from '../core/nn/plan.ts';

/** Real images, ready for a training step. */
export interface TrainingImages {
  readonly shape: ImageShape;
  readonly count: number;
  /** NHWC */
  readonly images: Float32Array<ArrayBuffer>;
  /** One class number an image. */
  readonly labels: Uint32Array<ArrayBuffer>;
}

/** The data set did not arrive as its manifest says; `advice` is what a person can do. */
export class DataError extends Error {
  override readonly name = 'DataError';
  constructor(
    message: string,
    readonly advice: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Fetches the first `count` images of a split (train 8,192, test 2,048).
 * Throws `DataError` when a file is missing or is not the one that the manifest describes.
 */
export async function loadFashionMnist(
  split: FashionSplit,
  count: number,
): Promise<TrainingImages> {
  if (!(count >= 1 && count <= fashionFiles[split].count))
    throw new RangeError(`${split} has 1 to ${fashionFiles[split].count} images, not ${count}`);
  const bytes = await loadFashionBytes(split);
  return {
    shape: fashionShape,
    count,
    images: Float32Array.from(decodeFashionImages(bytes.images, count)),
    labels: Uint32Array.from(decodeFashionLabels(bytes.labels, count)),
  };
}

/** Fetches, unpacks and verifies a whole split. */
export async function loadFashionBytes(split: FashionSplit): Promise<FashionBytes> {
  const manifest = await loadManifest();
  const [images, labels] = await Promise.all([
    loadFile(manifest, fashionFiles[split].images),
    loadFile(manifest, fashionFiles[split].labels),
  ]);
  return { images, labels };
}

/** Built scripts lie in assets/, beside data/; the dev server's data lies at its root. */
function dataUrl(file: string): URL {
  const root = import.meta.env.DEV ? import.meta.env.BASE_URL : '../';
  return new URL(`data/fashion-mnist/${file}`, new URL(root, import.meta.url));
}

async function loadManifest(): Promise<FashionManifest> {
  const text = new TextDecoder().decode(await fetchBytes('manifest.json'));
  const parsed = parseFashionManifest(parseJson(text));
  if (parsed.kind === 'ok') return parsed.value;
  const [error] = parsed.errors;
  throw new DataError(
    `manifest.json of Fashion-MNIST: ${error?.field} is ${error?.value}, not ${error?.expected}`,
    'Serve public/data/fashion-mnist as it is in the project.',
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DataError(
      'manifest.json of Fashion-MNIST is not JSON',
      'The server may answer with a page instead of the file: serve public/data/fashion-mnist.',
      { cause },
    );
  }
}

async function loadFile(manifest: FashionManifest, file: string): Promise<Uint8Array> {
  const bytes = await unpacked(await fetchBytes(file), file);
  const expected = manifest[file];
  if (bytes.length !== expected?.bytes || (await sha256(bytes)) !== expected.sha256)
    throw new DataError(
      `${file} is not the file that its manifest describes`,
      'Reload without the cache; if that fails, copy the data set again.',
    );
  return bytes;
}

async function fetchBytes(file: string): Promise<Uint8Array<ArrayBuffer>> {
  const url = dataUrl(file);
  const advice = 'Check the connection and that the site serves its data folder, then run again.';
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    throw new DataError(`cannot load ${url.href}: ${String(cause)}`, advice, { cause });
  }
}

/** Some servers inflate .gz files on the way (Content-Encoding), others do not. */
async function unpacked(
  bytes: Uint8Array<ArrayBuffer>,
  file: string,
): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch (cause) {
    throw new DataError(
      `${file} does not unpack`,
      'Reload without the cache; if that fails, copy the data set again.',
      { cause },
    );
  }
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
