import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Bad arguments, said in one line. The command exits with 2. */
export class ArgumentError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;
export type Values = Readonly<Record<string, string | boolean | undefined>>;

/** Reads `--name value` options strictly; throws ArgumentError for anything else. */
export function readOptions(args: readonly string[], options: Options): Values {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false })
      .values as Values;
  } catch (error) {
    throw new ArgumentError(firstSentence((error as Error).message));
  }
}

function firstSentence(message: string): string {
  return message.split(/\.\s/)[0] ?? message;
}

/** The option's value if it is one of `allowed`; absent takes `fallback`. */
export function oneOf<T extends string>(
  values: Values,
  name: string,
  allowed: readonly T[],
  fallback: T,
): T {
  const value = values[name] ?? fallback;
  const match = allowed.find((candidate) => candidate === value);
  if (match === undefined)
    throw new ArgumentError(`--${name}: expected one of ${allowed.join(', ')}, got '${value}'`);
  return match;
}

/** The option's value as a whole number of at least 1; absent takes `fallback`. */
export function count(values: Values, name: string, fallback: number): number {
  const value = values[name];
  if (value === undefined) return fallback;
  const number = Number(value);
  if (typeof value !== 'string' || !Number.isInteger(number) || number < 1)
    throw new ArgumentError(`--${name}: expected a whole number of at least 1, got '${value}'`);
  return number;
}

/** The option's value; throws ArgumentError that says what belongs there when it is missing. */
export function required(values: Values, name: string, what: string): string {
  const value = values[name];
  if (typeof value !== 'string' || value === '')
    throw new ArgumentError(`--${name} is missing: expected ${what}`);
  return value;
}

/**
 * Runs a command's body and sets the exit status: what the body returns, 2 with one line for bad
 * arguments. A bug keeps its stack trace.
 */
export async function runCommand(usage: string, body: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await body();
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    // One line, for scripts that look at the last one.
    console.error(`${error.message} (usage: ${usage.replaceAll(/\s*\n\s*/g, '; ')})`);
    process.exitCode = 2;
  }
}
