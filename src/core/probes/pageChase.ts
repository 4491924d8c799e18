/**
 * The pointer chase of a GPU: a single cycle through all lines of a working set that stays in a page
 * until all of it has been visited, so that address translation is not what is measured. A line is
 * 128 bytes, the longest cache line of today's GPUs. shaders/probe/pointers.wgsl lays out the same.
 */
export const chasePageSize = 4096;
const wordsPerLine = 32;
const linesPerPage = 32;

/** Loads that lead round the whole working set. */
export function pageChaseLength(workingSetSize: number): number {
  return workingSetSize / (4 * wordsPerLine);
}

/** The word that the word at a place points to; pages are a power of two. */
export function nextPlace(place: number, pages: number): number {
  const index = place / wordsPerLine;
  const page = Math.floor(index / linesPerPage);
  const line = ((index % linesPerPage) * 21 + 13) % linesPerPage;
  const nextPage = line === 0 ? (Math.imul(page, 0x2c9277b5) + 0x3c6ef35f) & (pages - 1) : page;
  return (nextPage * linesPerPage + line) * wordsPerLine;
}

/** The sum of all places that so many loads from word 0 on lead to, modulo 2^32. */
export function chaseSum(workingSetSize: number, loads: number): number {
  const pages = workingSetSize / chasePageSize;
  const length = pageChaseLength(workingSetSize);
  const walk = (steps: number): number => {
    let place = 0;
    let sum = 0;
    for (let step = 0; step < steps; step++) {
      place = nextPlace(place, pages);
      sum = (sum + place) | 0;
    }
    return sum;
  };
  // Round trips come back to where they began.
  const rounds = Math.floor(loads / length);
  const roundSum = rounds > 0 ? walk(length) : 0;
  return (walk(loads % length) + Math.imul(rounds, roundSum)) >>> 0;
}
