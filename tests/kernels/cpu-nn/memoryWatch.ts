/** Of an isolated page in Chromium, here at once: see vitest.config.ts. */
interface MeasuringPerformance extends Performance {
  measureUserAgentSpecificMemory?(): Promise<{ readonly bytes: number }>;
}

const measuring = performance as MeasuringPerformance;
const { gc: collectGarbage } = globalThis as { gc?(this: void): void };

/** Whether `heapSize` can be had. */
export const tellsHeaps =
  measuring.measureUserAgentSpecificMemory !== undefined && collectGarbage !== undefined;

/** Bytes that the objects of this page and of its threads take, garbage left out. */
export async function heapSize(): Promise<number> {
  // What is finalised leaves garbage of its own.
  for (let round = 0; round < 2; round++) {
    collectGarbage!();
    await new Promise((resolve) => setTimeout(resolve));
  }
  return (await measuring.measureUserAgentSpecificMemory!()).bytes;
}

/** Counts what is made from here on that no heap holds, until `stop`. */
export function countMade(): { readonly made: () => Record<string, number>; stop(): void } {
  const counts = new Map<string, number>();
  const restore: (() => void)[] = [];
  const watch = <Owner extends object>(owner: Owner, name: keyof Owner & string) => {
    const original = owner[name] as new (...given: unknown[]) => object;
    counts.set(name, 0);
    const counted = new Proxy(original, {
      construct(target, given, newTarget) {
        counts.set(name, counts.get(name)! + 1);
        return Reflect.construct(target, given, newTarget) as object;
      },
    });
    Object.assign(owner, { [name]: counted });
    restore.push(() => Object.assign(owner, { [name]: original }));
  };
  watch(globalThis, 'Worker');
  watch(globalThis, 'MessageChannel');
  watch(globalThis, 'SharedArrayBuffer');
  watch(WebAssembly, 'Memory');
  watch(WebAssembly, 'Instance');
  return {
    made: () => Object.fromEntries(counts),
    stop: () => restore.forEach((undo) => undo()),
  };
}
