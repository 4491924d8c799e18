import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'golden-'));
afterAll(() => rmSync(folder, { recursive: true }));

const shipped = 'tests/golden/resnet8-synthetic.json';

/** The shipped case cut to one step, so that a run takes no time, and changed. */
function altered(name: string, change: (golden: Record<string, unknown>) => void): string {
  const golden = JSON.parse(readFileSync(shipped, 'utf8')) as Record<string, unknown>;
  golden['steps'] = 1;
  golden['losses'] = (golden['losses'] as number[]).slice(0, 1);
  change(golden);
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(golden));
  return file;
}

function verify(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    'node',
    ['--import', 'tsx', 'src/cli/verify-golden.ts', ...args],
    { encoding: 'utf8' },
  );
  return { status, stdout, lines: stderr.trim().split('\n') };
}

describe('verify:golden', () => {
  test('exits 0 within the tolerances and prints the largest errors', () => {
    const { status, stdout } = verify(
      '--case',
      altered('right', () => undefined),
    );
    expect(status).toBe(0);
    for (const quantity of ['losses', 'logitsFirstStep', 'gradL2', 'gradFirst4'])
      expect(stdout).toContain(quantity);
  });

  test('exits 1 past them and says where', () => {
    const file = altered('wrong', (golden) => {
      const norms = golden['gradL2'] as Record<string, number>;
      norms['stage2.block1.conv2'] = (norms['stage2.block1.conv2'] ?? 0) + 1e-6;
    });
    const { status, stdout } = verify('--case', file);
    expect(status).toBe(1);
    expect(stdout).toMatch(/gradL2 .* stage2\.block1\.conv2 +PAST/);
  });

  test.each([
    ['--case: the file', ['--case', '/nowhere.json'], /nowhere\.json/],
    ['--case: its JSON', ['--case', 'LICENSE'], /LICENSE/],
    ['--case: its fields', ['--case', 'package.json'], /package\.json: case/],
    ['--executor', ['--executor', 'wasm'], /--executor/],
    ['--browser', ['--executor', 'gpu', '--browser', 'lynx'], /--browser/],
    ['an unknown option', ['--cases', 'x'], /--cases/],
  ])('exits 2 with one line that names %s', (_, args, message) => {
    const { status, lines } = verify(...args);
    expect(status).toBe(2);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(message);
  });
});
