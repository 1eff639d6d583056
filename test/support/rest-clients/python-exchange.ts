import { join, resolve } from 'node:path';
import { z } from 'zod';
import { startLineProgram } from '../line-program.ts';
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
  close(): Promise<void>;
}

/** Starts the process, which ends with its input. */
export function pythonExchange({ folder }: GeneratedClients, url: string): PythonExchange {
  const { ask, close } = startLineProgram(join(folder, '.venv', 'bin', 'python'), [PROGRAM, url], {
    cwd: folder,
    env: { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' },
  });
  return {
    close,
    async exchange({ package: name, operation, key, path, query, idempotencyKey, body }) {
      const parameters = {
        ...path,
        ...query,
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      };
      const request = { package: name.replace('-', '_'), operation, key, parameters, body: body ?? null };
      const answer = answerSchema.parse(JSON.parse(await ask(JSON.stringify(request))));
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
