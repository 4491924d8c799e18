import { spawnSync } from 'node:child_process';

/**
 * Runs npm scripts one after the other, the failed ones too, and then says which passed: those named
 * on the command line, or all that `npm test` stands for, cheapest first.
 */
const everything = [
  'browsers',
  'build',
  'check',
  'check:size',
  'test:unit',
  'test:kernels',
  'test:e2e',
];
const named = process.argv.slice(2);
const steps = named.length > 0 ? named : everything;

const results = steps.map((step) => {
  console.log(`\n== ${step}`);
  const started = performance.now();
  const { status } = spawnSync('npm', ['run', step, '--silent'], { stdio: 'inherit' });
  return { step, ok: status === 0, seconds: (performance.now() - started) / 1000 };
});

console.log('');
for (const { step, ok, seconds } of results)
  console.log(`${ok ? 'passed' : 'FAILED'}  ${step}  ${seconds.toFixed(0)} s`);
const failed = results.filter(({ ok }) => !ok).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
