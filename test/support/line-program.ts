import { type SpawnOptions, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A program that answers each line of its input by a line, one after the other. */
interface LineProgram {
  /** @throws when the program has ended */
  ask(line: string): Promise<string>;
  /** Ends its input, and waits for its end. @throws when it ends with another code than 0 */
  close(): Promise<void>;
}

export function startLineProgram(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'> = {},
): LineProgram {
  const program = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    program.once('error', reject).once('close', resolve);
  });
  // After its end, `ask` fails with the line that it does not get.
  ended.catch(() => undefined);
  program.stdin.on('error', () => undefined);
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  return {
    async ask(line) {
      program.stdin.write(`${line}\n`);
      const { value, done } = await lines.next();
      if (done) {
        throw new Error(`${command} has ended with ${await ended} at ${line}`);
      }
      return value;
    },
    async close() {
      program.stdin.end();
      const code = await ended;
      if (code !== 0) {
        throw new Error(`${command} has ended with ${code}`);
      }
    },
  };
}
