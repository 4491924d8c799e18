import { runGoldenOnGpu } from './gpu.ts';

// What `npm run verify:golden -- --executor gpu` calls from outside.
Object.assign(window, { runGolden: runGoldenOnGpu });
