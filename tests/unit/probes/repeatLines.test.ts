import { expect, test } from 'vitest';
import { repeatLines, upTo } from '../../../src/gpu/probes/repeatLines.ts';

test('lines are repeated by name, with their numbers, and others stay', () => {
  const source = 'begin\n  #each let x$ = f($u);\n  #none gone\nend';
  expect(repeatLines(source, { each: upTo(2), none: [] })).toBe(
    'begin\nlet x0 = f(0u);\nlet x1 = f(1u);\nend',
  );
});

test('a name without numbers is a mistake in the shader', () => {
  expect(() => repeatLines('#eahc x$', { each: [0] })).toThrow('#eahc');
});
