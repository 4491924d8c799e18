import { elementSizes, type StreamVariant } from './streamVariant.ts';

/**
 * The data that bandwidth probes move: incompressible, never NaN or denormal. Sign and mantissa are
 * random, the exponent is that of [1, 2). A 32-bit mixing function of the index (two
 * multiplications, three shifts), so that any word can be known without the others.
 * shaders/probe/pattern.wgsl says the same.
 */
export function patternWord(index: number): number {
  let mixed = index ^ (index >>> 16);
  mixed = Math.imul(mixed, 0x7feb352d);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x846ca68b);
  mixed ^= mixed >>> 16;
  return ((mixed & 0x807fffff) | 0x3f800000) >>> 0;
}

/** Index at which the words of the triad's second array begin. */
export const addendSeed = 0x40000000;
/** The triad's factor: a power of two, so that its product is exact and fusing makes no difference. */
const triadScale = 0.5;

/**
 * A word of the array that the pattern leaves behind or, for `read`, finds. Written words depend on
 * their place only: the lane's own random word, its mantissa changed by the element's index.
 */
export function streamWord(
  { pattern, element, workgroupSize }: StreamVariant,
  index: number,
): number {
  switch (pattern) {
    case 'read':
    case 'copy':
      return patternWord(index);
    case 'write': {
      const words = elementSizes[element] / 4;
      const at = Math.floor(index / words);
      const own = patternWord((at % workgroupSize) * words + (index % words));
      return (own ^ (Math.imul(at, 0x9e3779b1) >>> 9)) >>> 0;
    }
    case 'triad': {
      const sum =
        floatOf(patternWord(index)) + triadScale * floatOf(patternWord(index + addendSeed));
      return wordOf(sum);
    }
  }
}

/** What an element adds to a lane's sum: all its words where they are only read, else the first. */
export function elementSummand(variant: StreamVariant, at: number): number {
  const words = elementSizes[variant.element] / 4;
  let sum = 0;
  for (let word = 0; word < (variant.pattern === 'read' ? words : 1); word++)
    sum = (sum + streamWord(variant, at * words + word)) | 0;
  return sum >>> 0;
}

const scratch = new DataView(new ArrayBuffer(4));

function floatOf(word: number): number {
  scratch.setUint32(0, word);
  return scratch.getFloat32(0);
}

/** Rounds to f32. */
function wordOf(value: number): number {
  scratch.setFloat32(0, value);
  return scratch.getUint32(0);
}
