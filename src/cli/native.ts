import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One line of tests/native/roofline.c. */
export interface NativeFigure {
  readonly name: string;
  readonly threads: number;
  /** Bytes touched by all threads; 0 for arithmetic. */
  readonly workingSetSize: number;
  /** flop/s or byte/s */
  readonly rate: number;
}

const source = 'tests/native/roofline.c';
const flags = ['-O2', '-march=native', '-ffp-contract=fast', '-pthread'];

/** The native program, built by gcc; undefined where there is no gcc. */
export class NativeProgram {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static build(): NativeProgram | undefined {
    const folder = mkdtempSync(join(tmpdir(), 'rooftrace-native-'));
    try {
      execFileSync('gcc', [...flags, '-o', join(folder, 'roofline'), source], { stdio: 'inherit' });
    } catch (error) {
      rmSync(folder, { recursive: true });
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    return new NativeProgram(folder);
  }

  run(): NativeFigure[] {
    const output = execFileSync(join(this.#folder, 'roofline'), { encoding: 'utf8' });
    return output.trim().split('\n').map(parseFigure);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}

function parseFigure(line: string): NativeFigure {
  const [name = '', threads, workingSetSize, rate] = line.split(' ');
  return {
    name,
    threads: Number(threads),
    workingSetSize: Number(workingSetSize),
    rate: Number(rate),
  };
}
