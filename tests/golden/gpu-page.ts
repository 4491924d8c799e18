import { runGoldenOnGpu } from './gpu.ts';
import { runAccuracy } from './gpuAccuracy.ts';
import { runZoo } from './gpuZoo.ts';

// What `npm run verify:golden -- --executor gpu` calls from outside.
Object.assign(window, { runGolden: runGoldenOnGpu, runAccuracy, runZoo });
