import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import {
  type AtomicCall,
  callAtomic,
  callerOf,
  newAtomicCall,
  seedCallers,
} from '../support/atomic-calls.ts';
import type { Deployment } from '../support/deployment.ts';
import { exchangeWith } from '../support/http.ts';
import { headerOf } from '../support/receiver.ts';
import { useScene } from '../support/scene.ts';
import type { Server } from '../support/server.ts';
import { startServerHere } from '../support/server-here.ts';
import { until } from '../support/until.ts';

/*
 * Gateways and subgraphs accept, workers work. No sweep comes within a test: what is done, is in the event log.
 */

const NEVER = '3600';
const PHASES = ['CIP', 'CONTACT', 'PAYMENT_METHOD', 'REQUEST_MONEY'];

const scene = useScene();
let deployment: Deployment;
let server: Server;

beforeAll(async () => {
  deployment = await scene.deploy({
    arrangement: 'split',
    // So few steps at once that one worker cannot take all calls before the other receives any.
    env: { PIPELINE_SWEEP_SECONDS: NEVER, WEBHOOK_SWEEP_SECONDS: NEVER, PIPELINE_CONCURRENCY: '4' },
  });
  seedCallers(deployment);
  server = await deployment.start();
});

async function accept(index: number): Promise<AtomicCall> {
  const call = newAtomicCall({
    caller: callerOf(index),
    method: 'account',
    requester: 'Ruiz',
    payer: 'Roe',
  });
  const { status, text } = await callAtomic(exchangeWith(server.url), call);
  expect([text, status]).toEqual([expect.stringContaining(call.correlationId), 200]);
  return call;
}

const outcomesOf = ({ correlationId }: AtomicCall) =>
  deployment.receiver.webhooks.filter(({ text }) => text.includes(`"correlationId":"${correlationId}"`));

/** Phases that the log of a server says were done. */
function phasesIn(output: string, { correlationId }: AtomicCall): string[] {
  return output
    .split('\n')
    .filter((line) => line.includes(`"correlationId":"${correlationId}"`) && line.includes('"advanced"'))
    .map((line) => JSON.parse(line) as { phase: string; passed?: readonly string[] })
    .flatMap(({ phase, passed = [] }) => [phase, ...passed]);
}

test('a worker begins an accepted call at once, and its outcome is reported', async () => {
  const call = await accept(0);
  await until('its outcome', () => outcomesOf(call).length === 1);
  expect(phasesIn(server.output(), call)).toEqual(PHASES);
});

test('two workers share accepted calls; each phase is done once, each outcome is reported once', async () => {
  const other = await startServerHere({
    ...deployment.env,
    ROLE: 'worker',
    DATA_DIR: join(String(deployment.env.DATA_DIR), 'worker-2'),
  });
  scene.atEnd(async () => void (await other.kill('SIGTERM')));
  const calls: AtomicCall[] = [];
  const share = () => calls.map((call) => phasesIn(other.output(), call).length > 0);
  await until('a call of each worker', async () => {
    calls.push(...(await Promise.all(Array.from({ length: 16 }, (_, index) => accept(index)))));
    await until('all outcomes', () => calls.every((call) => outcomesOf(call).length > 0));
    return share().includes(true) && share().includes(false);
  });
  for (const call of calls) {
    const outputs = [server.output(), other.output()];
    expect(outputs.flatMap((output) => phasesIn(output, call)).toSorted()).toEqual(PHASES.toSorted());
    const ids = outcomesOf(call).map((one) => headerOf(one, 'X-Webhook-Delivery-Id'));
    expect(new Set(ids).size).toBe(1);
  }
});
