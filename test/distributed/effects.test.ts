import { describe, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import type { ProviderRequest } from '../support/providers.ts';
import type { ReceivedWebhook } from '../support/receiver.ts';
import { judgeRuns } from './effects.ts';
import type { Run } from './fixtures.ts';

const HOUR_MS = 3_600_000;

/** A run of the one case of these tests, which makes a money request. */
const run = (reference: string, outcome: Run['outcome'] = 'passed'): Run => ({
  name: 'case',
  stage: 'nothing',
  references: [reference],
  outcome,
});

/** The traces of a whole run. */
const whole = (reference: string) => ({
  moneyRequests: [record(reference)],
  events: [{ entityId: reference, type: 'request_money.created', version: 1 }],
  webhooks: [webhook(`delivery-${reference}`, reference)],
  done: [{ service: 'funding', key: `acme:${reference}:REQUEST_MONEY` }],
});
type Left = ReturnType<typeof whole>;

function record(referenceId: string, lifeMs = 24 * HOUR_MS) {
  const createdAt = new Date();
  return {
    _id: `id-${referenceId}`,
    referenceId,
    status: 'pending',
    createdAt,
    expiresAt: new Date(+createdAt + lifeMs),
  };
}

function webhook(id: string, referenceId: string): ReceivedWebhook {
  const text = JSON.stringify({ event: 'operation_created', data: { referenceId } });
  const rawHeaders = [
    ['X-Webhook-Delivery-Id', id],
    ['X-Webhook-Event', 'operation_created'],
  ] as const;
  return { path: '/hook', rawHeaders, body: Buffer.from(text), text, receivedAt: new Date(), status: 204 };
}

function judge(left: readonly Left[], runs: readonly Run[]): Promise<string[]> {
  const stored: Record<string, object[]> = {
    moneyRequests: left.flatMap(({ moneyRequests }) => moneyRequests),
    events: left.flatMap(({ events }) => events),
  };
  const collection = (name: string) => ({ find: () => ({ toArray: async () => stored[name] ?? [] }) });
  const scene = {
    connection: { collection } as unknown as Connection,
    receiver: { webhooks: left.flatMap(({ webhooks }) => webhooks) },
    providers: { done: left.flatMap(({ done }) => done) as unknown as ProviderRequest[] },
  };
  return judgeRuns(scene, runs);
}

describe('The traces of the runs of a case', () => {
  test('is the same each time; a delivery that came twice counts once', async () => {
    const [first, second] = [whole('r1'), whole('r2')];
    second.webhooks.push(webhook('delivery-r2', 'r2'));
    expect(await judge([first, second], [run('r1'), run('r2')])).toEqual([]);
  });

  test.each<[string, (left: Left) => unknown, string]>([
    ['an event is lost', (left) => left.events.pop(), 'has done'],
    ['a webhook is lost', (left) => left.webhooks.pop(), 'has done'],
    [
      'a webhook is reported by two deliveries',
      (left) => left.webhooks.push(webhook('other', 'r2')),
      'has done',
    ],
    ['a provider has done it twice', (left) => left.done.push(...left.done), 'has done'],
    [
      'a record is in another state',
      (left) => Object.assign(left.moneyRequests[0]!, { status: 'failed' }),
      'failed',
    ],
  ])('differs when %s', async (_what, change, reported) => {
    const second = whole('r2');
    change(second);
    const problems = await judge([whole('r1'), second], [run('r1'), run('r2')]);
    expect(problems).toEqual([expect.stringContaining(reported)]);
  });

  test('is at most as much when the run was broken off', async () => {
    const less = { ...whole('r2'), webhooks: [], done: [] };
    expect(await judge([whole('r1'), less], [run('r1'), run('r2', 'repeated')])).toEqual([]);
    const more = whole('r2');
    more.done.push(...more.done);
    expect(await judge([whole('r1'), more], [run('r1'), run('r2', 'repeated')])).toEqual([
      expect.stringContaining('"1: done by funding" 2 times, a whole one 1'),
    ]);
  });

  test('is not compared for money requests that end by themselves meanwhile', async () => {
    const ended = whole('r2');
    ended.moneyRequests = [{ ...record('r2', HOUR_MS / 60), status: 'cancelled' }];
    const alive = { ...whole('r1'), moneyRequests: [record('r1', HOUR_MS / 60)] };
    expect(await judge([alive, ended], [run('r1'), run('r2')])).toEqual([]);
  });
});
