import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.ts';
import type { UnclaimedWork } from '../events/reader.ts';
import { listenForWork, type WorkSource } from './work-listener.ts';

type Listener = Parameters<Parameters<typeof listenForWork>[0]['listen']>[0];

let reported: string[];
let lines: unknown[];
let listener: Listener | undefined;

beforeEach(() => {
  reported = [];
  lines = [];
  listener = undefined;
});

const sourceOf = (name: string, entity: WorkSource['entity'], sweep = async () => {}): WorkSource => ({
  entity,
  name,
  idOf: ({ accountId, entityId }) => `${accountId}|${entityId}`,
  worker: {
    wake: (ids) => void reported.push(`${name} wakes ${ids.join(' ')}`),
    sweep: () => {
      reported.push(`${name} sweeps`);
      return sweep();
    },
  },
});

function listenTo(sources: readonly WorkSource[], random: () => number = () => 0) {
  return listenForWork({
    listen: (given) => {
      listener = given;
      return { stop: async () => void reported.push('stopped') };
    },
    sources,
    random,
    log: { error: (_fields: unknown, message?: string) => void lines.push(message) } as never,
  });
}

const remittances = (...ids: string[]): UnclaimedWork[] =>
  ids.map((entityId) => ({ accountId: 'acme/sandbox', entity: 'remittance', entityId }));
const delivery: UnclaimedWork = { accountId: 'acme/sandbox', entity: 'webhookDelivery', entityId: 'd' };

test('each worker is woken for its own work, once for work that comes together, in an order of its own', async () => {
  const random = [0, 0.9, 0.9, 0, 0.5][Symbol.iterator]();
  const draw = () => Number(random.next().value ?? 0);
  listenTo([sourceOf('pipeline', 'remittance'), sourceOf('webhook', 'webhookDelivery')], draw);
  listener?.onWork([...remittances('a'), delivery, ...remittances('b')]);
  listener?.onWork(remittances('c'));
  expect(reported).toEqual([]);
  await until('both', () => reported.length === 2);
  expect(reported.toSorted()).toEqual(
    [
      'pipeline wakes acme/sandbox|b acme/sandbox|c acme/sandbox|a',
      'webhook wakes acme/sandbox|d',
    ].toSorted(),
  );
});

test('documents from before the worker listens are swept; a sweep that fails is logged', async () => {
  listenTo([
    sourceOf('pipeline', 'remittance', () => Promise.reject(new Error('away'))),
    sourceOf('webhook', 'webhookDelivery'),
  ]);
  listener?.onOpen();
  await until('the failure', () => lines.length === 1);
  expect(reported).toEqual(['pipeline sweeps', 'webhook sweeps']);
  expect(lines).toEqual(['pipeline.sweep_failed']);
});

test('after its stop it wakes nobody', async () => {
  const started = listenTo([sourceOf('pipeline', 'remittance')], () => 0.5);
  listener?.onWork(remittances('a'));
  await started.stop();
  await delay(50);
  expect(reported).toEqual(['stopped']);
});
