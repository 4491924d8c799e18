import { expect, test } from 'vitest';
import { countedSource } from '../../support/countedSource.ts';

const declarations = `enable subgroups;
@group(0) @binding(1) var<storage, read> from: array<f32>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read_write> to: array<vec4f>;
var<workgroup> tile: array<f32, 64>;
`;

test.each([
  ['let x = from[i + 1u];', 'let x = from[counted(i + 1u, 4u)];'],
  ['to[i] = vec4f(x);', 'to[counted(i, 16u)] = vec4f(x);'],
  ['to[i] += vec4f(x);', 'to[counted(i, 32u)] += vec4f(x);'],
  ['if (to[i] == x) {}', 'if (to[counted(i, 16u)] == x) {}'],
  ['from[places[min(i, n[0])]]', 'from[counted(places[counted(min(i, n[0]), 4u)], 4u)]'],
  ['from[i] + from[j]', 'from[counted(i, 4u)] + from[counted(j, 4u)]'],
  ['tile[i] + upto[i] + a.to[i]', 'tile[i] + upto[i] + a.to[i]'],
])('%s', (statement, counted) => {
  const source = countedSource(`${declarations}fn f() { ${statement} }`);
  expect(source).toContain(`fn f() { ${counted} }`);
  expect(source.startsWith('enable subgroups;')).toBe(true);
});

test('an element of unknown size is refused', () => {
  expect(() => countedSource('var<storage, read> a: array<Pixel>;')).toThrow(
    'a: an element of Pixel',
  );
});
