/**
 * Unrolls a shader as text: every line that begins with `#name` is repeated for each of the numbers
 * that `numbers` gives for that name, in order, `$` being the number. Other lines stay.
 */
export function repeatLines(
  source: string,
  numbers: Readonly<Record<string, readonly number[]>>,
): string {
  return source
    .split('\n')
    .flatMap((line) => {
      const [, name, statement] = /^\s*#(\w+) (.*)$/.exec(line) ?? [];
      if (name === undefined || statement === undefined) return [line];
      const chosen = numbers[name];
      if (chosen === undefined) throw new RangeError(`repeatLines: no numbers for #${name}`);
      return chosen.map((number) => statement.replaceAll('$', String(number)));
    })
    .join('\n');
}

/** 0, 1 ... count - 1. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
