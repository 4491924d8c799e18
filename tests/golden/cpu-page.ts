import { runAccuracy } from './cpuAccuracy.ts';
import { runGoldenOnCpu } from './cpu.ts';

// What `npm run verify:golden -- --executor cpu` calls from outside.
Object.assign(window, { runGolden: runGoldenOnCpu, runAccuracy });
