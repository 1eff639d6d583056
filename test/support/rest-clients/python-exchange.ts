import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { GeneratedClients } from './generate.ts';
import type { ClientExchange } from './typescript-exchange.ts';

const PROGRAM = resolve('gateway/clients/python/tests/contract_calls.py');

const answerSchema = z.union([
  z.object({ notExpressible: z.string() }),
  z.object({
    status: z.number(),
    headers: z.record(z.string(), z.string()),
    text: z.string(),
    problem: z.string().nullable(),
  }),
]);

/** One Python process that makes all calls, one after the other. */
interface PythonExchange {
  readonly exchange: ClientExchange;
  close(): void;
}

/** Starts the process, which ends with its input. */
export function pythonExchange({ folder }: GeneratedClients, url: string): PythonExchange {
  const child = spawn(join(folder, '.venv', 'bin', 'python'), [PROGRAM, url], {
    cwd: folder,
    env: { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // After its end a call fails with the last line that it has read.
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    close: () => child.stdin.end(),
    async exchange({ package: name, operation, key, path, query, idempotencyKey, body }) {
      const parameters = {
        ...path,
        ...query,
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      };
      const request = { package: name.replace('-', '_'), operation, key, parameters, body: body ?? null };
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const { value, done } = await lines.next();
      if (done) {
        throw new Error(`Python has ended at ${operation}`);
      }
      const answer = answerSchema.parse(JSON.parse(value));
      if ('notExpressible' in answer) {
        return undefined;
      }
      if (answer.problem !== null) {
        throw new Error(`${operation}: ${answer.problem} for ${answer.status} ${answer.text}`);
      }
      return { ...answer, body: Buffer.from(answer.text) };
    },
  };
}
