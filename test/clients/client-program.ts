import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parse } from 'lossless-json';

/** A call for the program; `test/clients/go` and `test/clients/java` have it. */
interface ProgramCall {
  readonly operation: string;
  readonly key: string;
  /** The parameter in the path. */
  readonly id?: string;
  readonly idempotencyKey?: string;
  /** The text of the body, or of a webhook's. */
  readonly body?: string;
  /** Of a webhook. */
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly secret?: string;
}

/** The typed answer as `value`, or an error; numbers as they were written. */
export interface ProgramAnswer {
  readonly value?: unknown;
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
}

/** A program in another language that makes calls with its client, one after the other. */
export interface ClientProgram {
  call(asked: ProgramCall): Promise<ProgramAnswer>;
  /** Ends it. @throws when it ends with another code than 0 */
  close(): Promise<void>;
}

export function startProgram(command: string, args: readonly string[]): ClientProgram {
  const program = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = endOf(program);
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  return {
    call: async (asked) => {
      program.stdin.write(`${JSON.stringify({ id: '', idempotencyKey: '', body: '', ...asked })}\n`);
      const { value, done } = await lines.next();
      if (done) {
        throw new Error(`${command} ended: ${JSON.stringify(await ended)}`);
      }
      const answer = parse(value) as ProgramAnswer;
      return { ...answer, ...(answer.status === undefined ? {} : { status: Number(answer.status) }) };
    },
    close: async () => {
      program.stdin.end();
      const code = await ended;
      if (code !== 0) {
        throw new Error(`${command} ended with ${code}`);
      }
    },
  };
}

function endOf(program: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    program.once('error', reject).once('close', resolve);
  });
}
