const lineSize = 64;
const pageSize = 4096;

/** The largest chase, of whole pages, within a working set. */
export function chaseSize(workingSetSize: number): number {
  return Math.floor(workingSetSize / pageSize) * pageSize;
}

/** Loads until a chase over so many bytes is back where it began. */
export function chaseLength(size: number): number {
  return size / lineSize;
}
