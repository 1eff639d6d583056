import { parse } from 'lossless-json';
import { startLineProgram } from '../support/line-program.ts';

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
  const { ask, close } = startLineProgram(command, args);
  return {
    call: async (asked) => {
      const line = JSON.stringify({ id: '', idempotencyKey: '', body: '', ...asked });
      const answer = parse(await ask(line)) as ProgramAnswer;
      return { ...answer, ...(answer.status === undefined ? {} : { status: Number(answer.status) }) };
    },
    close,
  };
}
