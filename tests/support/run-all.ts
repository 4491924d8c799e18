import { spawnSync } from 'node:child_process';

/** What `npm test` runs, cheapest first. Each step is an npm script that can be run on its own. */
const steps = [
  'browsers',
  'build',
  'check',
  'check:size',
  'test:unit',
  'test:kernels',
  'test:e2e',
] as const;

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
