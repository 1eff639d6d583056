import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Checks that must pass before the process gets traffic, by name. A check rejects when it does not pass. */
export type ReadinessCheck = readonly [name: string, check: () => Promise<void>];

/** Whether the process is stopping. Then it is alive, but not ready. */
export interface Draining {
  readonly draining: boolean;
}

/** `/health/live` and `/health/ready`: 200 or 503, JSON (decisions, section 5). */
export function addHealth(app: FastifyInstance, state: Draining, checks: readonly ReadinessCheck[]): void {
  app.get('/health/live', (_request, reply) => {
    reply.header('content-type', 'application/json').send(Buffer.from('{"status":"ok"}'));
  });
  app.get('/health/ready', async (_request, reply) => {
    const results = await Promise.all(checks.map(([name, check]) => outcomeOf(name, check)));
    const ready = !state.draining && results.every(([, outcome]) => outcome === 'ok');
    const body = {
      status: ready ? 'ok' : 'unavailable',
      draining: state.draining,
      checks: Object.fromEntries(results),
    };
    return reply
      .code(ready ? 200 : 503)
      .header('content-type', 'application/json')
      .send(Buffer.from(JSON.stringify(body)));
  });
}

const CHECK_TIMEOUT_MS = 2_000;

/** The answer omits the reason, because everybody can read it. */
async function outcomeOf(name: string, check: () => Promise<void>): Promise<[string, 'ok' | 'failed']> {
  const answered = new AbortController();
  const timeout = sleep(CHECK_TIMEOUT_MS, 'failed' as const, { signal: answered.signal, ref: false });
  const checked = check().then(
    () => 'ok' as const,
    () => 'failed' as const,
  );
  const outcome = await Promise.race([checked, timeout]);
  answered.abort();
  await timeout.catch(() => undefined);
  return [name, outcome];
}
