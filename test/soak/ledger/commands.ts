import { resolve } from 'node:path';
import { residentMiB } from '../../bench/processes.ts';
import { runProduct } from '../../support/server-process.ts';

/** A command that has ended. */
interface Ran {
  readonly code: number | null;
  readonly output: string;
  /** The lines of JSON that it has printed. */
  readonly json: readonly Record<string, unknown>[];
  readonly seconds: number;
  /** The most memory that it was seen to hold. */
  readonly residentMiB: number;
}

const LOOK_MS = 250;

/** Runs a command of the build to its end. @throws when it ends with none of these exit codes */
export async function runCommand(
  program: 'audit' | 'ledger',
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  codes: readonly number[] = [0, 1],
): Promise<Ran> {
  const from = performance.now();
  const command = runProduct(resolve(`dist/bin/${program}.js`), args, env);
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, residentMiB(command.pid) || 0);
  }, LOOK_MS);
  const { code } = await command.exited;
  clearInterval(timer);
  const output = command.output();
  if (code === null || !codes.includes(code)) {
    throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output}`);
  }
  const json = output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  return { code, output, json, seconds: (performance.now() - from) / 1_000, residentMiB: most };
}
