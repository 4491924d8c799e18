import { spawn } from 'node:child_process';

/**
 * Runs npm scripts one after the other, the failed ones too, and then says which passed: those named
 * on the command line, or all that `npm test` stands for, cheapest first. Those of a row run side by
 * side, each telling all at its end: none of them measures, and none uses more than a core for long.
 */
const everything = [
  ['browsers'],
  ['build', 'check'],
  ['check:size'],
  ['test:unit'],
  ['test:kernels'],
  ['test:e2e:measuring'],
  ['test:e2e:page'],
];

interface Result {
  readonly step: string;
  readonly ok: boolean;
  readonly seconds: number;
}

function run(step: string, isAlone: boolean): Promise<Result> {
  if (isAlone) console.log(`\n== ${step}`);
  const started = performance.now();
  const child = spawn('npm', ['run', step, '--silent'], {
    stdio: isAlone ? 'inherit' : 'pipe',
    shell: process.platform === 'win32',
  });
  const told: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => told.push(text));
  return new Promise((resolve) => {
    const end = (ok: boolean) => {
      if (!isAlone) console.log(`\n== ${step}\n${told.join('').trimEnd()}`);
      resolve({ step, ok, seconds: (performance.now() - started) / 1000 });
    };
    child.on('error', (error) => {
      told.push(String(error));
      end(false);
    });
    child.on('close', (status) => end(status === 0));
  });
}

const named = process.argv.slice(2).map((step) => [step]);
const results: Result[] = [];
for (const row of named.length > 0 ? named : everything)
  results.push(...(await Promise.all(row.map((step) => run(step, row.length === 1)))));

console.log('');
for (const { step, ok, seconds } of results)
  console.log(`${ok ? 'passed' : 'FAILED'}  ${step}  ${seconds.toFixed(0)} s`);
const failed = results.filter(({ ok }) => !ok).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
