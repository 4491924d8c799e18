import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { fashionFiles, type FashionBytes } from '../core/nn/fashionMnist.ts';
import {
  goldenInput,
  goldenPlan,
  runGolden,
  type GoldenCase,
  type GoldenResult,
} from '../core/nn/golden.ts';
import { initialParameters } from '../core/nn/initialParameters.ts';
import { ReferenceTrainer } from '../core/nn/referenceTrainer.ts';

/** Runs a golden case on the float64 interpreter, in this process. */
export async function runOnReference(golden: GoldenCase): Promise<GoldenResult> {
  const plan = goldenPlan(golden);
  const input = await goldenInput(golden, readFashion);
  return runGolden(golden, input, new ReferenceTrainer(plan, initialParameters(plan, golden.seed)));
}

function readFashion(): FashionBytes {
  const { images, labels } = fashionFiles.train;
  return { images: unpack(images), labels: unpack(labels) };
}

function unpack(file: string): Uint8Array {
  return gunzipSync(
    readFileSync(new URL(`../../public/data/fashion-mnist/${file}`, import.meta.url)),
  );
}
