/** Values of equal key together, groups and values in order of first appearance. */
export function groupBy<T>(values: readonly T[], key: (value: T) => string | number): T[][] {
  const groups = new Map<string | number, T[]>();
  for (const value of values) {
    const name = key(value);
    const group = groups.get(name);
    if (group) group.push(value);
    else groups.set(name, [value]);
  }
  return [...groups.values()];
}
