// A pointer chase that stays within pages: every line of a page is visited in a random order before
// the next page, also at random. A load's address is the load before it, so the time of a load is
// its latency; address translation is missed once a page at most.

const LINE_SIZE: usize = 64;
const PAGE_SIZE: usize = 4096;
const LINES_PER_PAGE: i32 = 64;

/** A random number below `limit` from the xorshift32 generator at `state`. */
// @ts-expect-error: decorators of functions are AssemblyScript's
@inline
function randomBelow(limit: u32, state: usize): u32 {
  let x = load<u32>(state);
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  store<u32>(state, x);
  return x % limit;
}

/**
 * Links all lines of `size` bytes (whole pages) at `base` to one cycle that starts at `base`. Each
 * line's first word holds the address of the next. `generator` is the random state, `order` is
 * scratch for 64 bytes.
 */
export function linkChase(base: usize, size: usize, generator: usize, order: usize): void {
  const pages = <i32>(size / PAGE_SIZE);
  linkPages(base, pages, generator);
  for (let page = 0; page < pages; page++) {
    linkLines(base + <usize>page * PAGE_SIZE, generator, order);
  }
}

/** Leaves each page's successor, in one random cycle (Sattolo 1986), in the page's second word. */
function linkPages(base: usize, pages: i32, generator: usize): void {
  const words = base + 4;
  for (let page = 0; page < pages; page++) {
    const at = words + <usize>page * PAGE_SIZE;
    store<usize>(at, at - 4);
  }
  for (let last = pages - 1; last > 0; last--) {
    const one = words + <usize>last * PAGE_SIZE;
    const other = words + <usize>randomBelow(last, generator) * PAGE_SIZE;
    const swapped = load<usize>(one);
    store<usize>(one, load<usize>(other));
    store<usize>(other, swapped);
  }
}

/** Links a page's first line, the others in random order (Fisher and Yates), and the next page. */
function linkLines(page: usize, generator: usize, order: usize): void {
  const nextPage = load<usize>(page, 4);
  for (let line = 1; line < LINES_PER_PAGE; line++) store<u8>(order + line, <u8>line);
  let at = page;
  for (let left = LINES_PER_PAGE - 1; left > 0; left--) {
    const picked = order + 1 + randomBelow(left, generator);
    const next = page + <usize>load<u8>(picked) * LINE_SIZE;
    store<u8>(picked, load<u8>(order + left));
    store<usize>(at, next);
    at = next;
  }
  store<usize>(at, nextPage);
}

/** Follows the chase for `loads` loads, a multiple of 4, and returns where it is then. */
export function chase(start: usize, loads: i32): usize {
  let at = start;
  for (let i = 0; i < loads; i += 4) {
    at = load<usize>(at);
    at = load<usize>(at);
    at = load<usize>(at);
    at = load<usize>(at);
  }
  return at;
}
