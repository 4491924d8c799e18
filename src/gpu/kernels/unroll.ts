type Numbers = Readonly<Record<string, number>>;

/**
 * Writes out a shader's loops over registers. The lines from `#each a b` to its `#end` are repeated
 * for all a below numbers.a and all b below numbers.b (fastest), or for those `where` two sums are
 * equal: `#each a b where a*step+b = n`. In between, `$(sum)` stands for a number; sums are of
 * products of names and numbers. Loops nest. Throws a RangeError on a name that has no number.
 */
export function unrolled(source: string, numbers: Numbers): string {
  return expanded(source.split('\n'), numbers).join('\n');
}

function expanded(lines: readonly string[], numbers: Numbers): string[] {
  const out: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    const [, names, left = '0', right = '0'] = loop.exec(line) ?? [];
    if (names === undefined) {
      out.push(
        line.replaceAll(/\$\(([^)]*)\)/g, (_, sum: string) => String(valueOf(sum, numbers))),
      );
      continue;
    }
    const end = endOf(lines, at);
    const body = lines.slice(at + 1, end);
    for (const values of combinations(names.split(' '), numbers))
      if (valueOf(left, values) === valueOf(right, values)) out.push(...expanded(body, values));
    at = end;
  }
  return out;
}

const loop = /^\s*#each ([\w ]+?)(?: where (.*) = (.*))?$/;

/** The line of the `#end` that closes the loop which begins at a line. */
function endOf(lines: readonly string[], begin: number): number {
  let depth = 0;
  for (let at = begin; at < lines.length; at += 1) {
    const line = lines[at]!;
    if (loop.test(line)) depth += 1;
    if (line.trim() === '#end') depth -= 1;
    if (depth === 0) return at;
  }
  throw new RangeError(`no #end for ${lines[begin]}`);
}

function combinations(names: readonly string[], numbers: Numbers): readonly Numbers[] {
  return names.reduce<readonly Numbers[]>(
    (all, name) =>
      all.flatMap((values) =>
        Array.from({ length: numberOf(name, numbers) }, (_, value) => ({
          ...values,
          [name]: value,
        })),
      ),
    [numbers],
  );
}

function valueOf(sum: string, numbers: Numbers): number {
  const product = (term: string): number =>
    term.split('*').reduce((value, factor) => value * numberOf(factor.trim(), numbers), 1);
  return sum.split('+').reduce((value, term) => value + product(term), 0);
}

function numberOf(name: string, numbers: Numbers): number {
  const value = numbers[name] ?? Number(name);
  if (Number.isNaN(value)) throw new RangeError(`no number for ${name}`);
  return value;
}
