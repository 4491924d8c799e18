// core compiles without the DOM library; pages, workers and Node 20 all have these.
interface ByteStream {
  getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array }>; cancel(): Promise<void> };
}
interface ByteTransform {
  readonly readable: ByteStream;
  readonly writable: {
    getWriter(): { write(bytes: Uint8Array): Promise<void>; close(): Promise<void> };
  };
}
declare const CompressionStream: new (format: 'deflate') => ByteTransform;
declare const DecompressionStream: new (format: 'deflate') => ByteTransform;
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new (
  label: 'utf-8',
  options: { fatal: true },
) => { decode(bytes: Uint8Array): string };

/** Text as zlib DEFLATE, whose checksum finds a changed character (RFC 1950), in base64url without padding (RFC 4648, section 5). */
export async function deflateText(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const packed = await through(new CompressionStream('deflate'), bytes, Infinity);
  return toBase64Url(packed ?? new Uint8Array());
}

/**
 * What `deflateText` packed; undefined where the text is no such thing or holds more than
 * `largestSize` bytes, of which no more is unpacked.
 */
export async function inflateText(
  packed: string,
  largestSize: number,
): Promise<string | undefined> {
  const bytes = fromBase64Url(packed);
  if (bytes === undefined) return undefined;
  try {
    const unpacked = await through(new DecompressionStream('deflate'), bytes, largestSize);
    return unpacked && new TextDecoder('utf-8', { fatal: true }).decode(unpacked);
  } catch {
    // Not DEFLATE, or not UTF-8.
    return undefined;
  }
}

/** The bytes after the transform; undefined, and no more is made, where they pass `largestSize`. */
async function through(
  { readable, writable }: ByteTransform,
  bytes: Uint8Array,
  largestSize: number,
): Promise<Uint8Array | undefined> {
  const writer = writable.getWriter();
  // A fault of the transform reaches the reader too; here it must only not go unhandled.
  const written = writer
    .write(bytes)
    .then(() => writer.close())
    .catch(() => {});
  const reader = readable.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) break;
    chunks.push(value);
    size += value.byteLength;
    if (size > largestSize) {
      await reader.cancel();
      return undefined;
    }
  }
  await written;
  return joined(chunks, size);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return all;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(index, index + 3);
    const group = (a << 16) | (b << 8) | c;
    const digits = Math.min(3, bytes.length - index) + 1;
    for (let digit = 0; digit < digits; digit += 1)
      text += alphabet[(group >> (18 - 6 * digit)) & 63];
  }
  return text;
}

/** Undefined where a character is not of the alphabet, or is more than the bytes need. */
function fromBase64Url(text: string): Uint8Array | undefined {
  if (text.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let pending = 0;
  let length = 0;
  for (const character of text) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return undefined;
    pending = ((pending << 6) | digit) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length] = (pending >> bits) & 255;
    length += 1;
  }
  // Bits of the last character that are of no byte: ours are 0.
  return (pending & (2 ** bits - 1)) === 0 ? bytes : undefined;
}
