import { describe, expect, test } from '@jest/globals';
import type { mongo } from 'mongoose';
import {
  judgeAnswers,
  judgeAtomicCalls,
  judgeEvents,
  judgeFollowed,
  judgeStored,
  judgeWebhooks,
  type Settled,
} from './judge.ts';
import { createLedger } from './ledger.ts';

const accountId = 'acme/sandbox';
const FOLLOWED = [
  { referenceId: 'r1', status: 'PENDING' },
  { referenceId: 'r2', status: 'PENDING' },
  { referenceId: 'r2', status: 'CANCELLED' },
];

/** The state after a load that created two money requests, cancelled the second and made one atomic call. */
function leave() {
  const collections: Record<string, mongo.Document[]> = {
    moneyRequests: [
      { accountId, referenceId: 'r1', status: 'pending' },
      { accountId, referenceId: 'r2', status: 'cancelled' },
    ],
    idempotencyKeys: [{ _id: 'k1' }, { _id: 'k2' }],
    remittances: [{ accountId, correlationId: 'c1', status: 'SUCCEEDED' }],
    operations: [{ accountId, operationId: 'c1' }],
    webhookDeliveries: ['w1', 'w2', 'w3'].map((_id) => ({ _id, accountId, status: 'DELIVERED' })),
    events: [
      { partition: 3, seq: 1, entity: 'requestMoney', entityId: 'm1', version: 1 },
      { partition: 5, seq: 1, entity: 'requestMoney', entityId: 'm2', version: 1 },
      { partition: 5, seq: 2, entity: 'requestMoney', entityId: 'm2', version: 2 },
      { partition: 5, seq: 3, entity: 'remittance', entityId: 'c1', version: 1 },
    ],
    eventHeads: [
      { _id: 3, lastSeq: 1 },
      { _id: 5, lastSeq: 3 },
    ],
  };
  const of = (name: string) => collections[name] ?? [];
  const collection = (name: string) => ({
    find: () => ({ toArray: async () => of(name) }),
    findOne: async () => of(name)[0] ?? null,
    countDocuments: async () => of(name).length,
  });
  const ledger = createLedger();
  ledger.accepted.set('r1', '{}').set('r2', '{}');
  ledger.cancelled.add('r2');
  ledger.atomic.add('c1');
  ledger.sentAgain = 1;
  ledger.sentOther = 1;
  const webhooks = new Map([
    ['w1', { event: 'operation_created', referenceId: 'r1' }],
    ['w2', { event: 'operation_created', referenceId: 'r2' }],
    ['w3', { event: 'operation_updated', referenceId: 'r2' }],
  ]);
  let invalid: string | undefined;
  const errors: string[] = [];
  const followed = [...FOLLOWED];
  const replayed = [...FOLLOWED];
  const settled: Settled = {
    // The cast: three methods of its collections are all that it takes.
    db: { collection } as unknown as mongo.Db,
    stage: { accountId, webhooks, errors, invalidWebhook: () => invalid },
    ledger,
    followed,
    replayed,
    repeats: 0,
  };
  const receiveInvalid = () => {
    invalid = 'operation_created w4: signature';
  };
  return { settled, collections, ledger, webhooks, followed, replayed, receiveInvalid };
}

type Left = ReturnType<typeof leave>;
const JUDGES = { judgeAnswers, judgeAtomicCalls, judgeEvents, judgeFollowed, judgeStored, judgeWebhooks };

test.each(Object.entries(JUDGES))('%s finds nothing when everything is there once', async (_name, judge) => {
  expect(await judge(leave().settled)).toMatch(/\d/);
});

describe('The judge of a load', () => {
  test.each<[keyof typeof JUDGES, string, (left: Left) => unknown, string]>([
    ['judgeAnswers', 'a wrong answer', ({ ledger }) => ledger.differences.push('500'), '1 wrong answers'],
    [
      'judgeAnswers',
      'a load without a repeat',
      ({ ledger }) => {
        ledger.sentAgain = 0;
      },
      'too short',
    ],
    ['judgeStored', 'a lost create', ({ collections }) => collections.moneyRequests?.pop(), '[1,1]'],
    [
      'judgeStored',
      'a create that is stored twice',
      ({ collections }) => collections.moneyRequests?.push({ referenceId: 'r1', status: 'pending' }),
      '[3,2]',
    ],
    ['judgeStored', 'a lost cancel', ({ ledger }) => ledger.cancelled.add('r1'), 'another status'],
    ['judgeStored', 'a lost key', ({ collections }) => collections.idempotencyKeys?.pop(), 'Idempotency'],
    ['judgeAtomicCalls', 'a lost call', ({ ledger }) => ledger.atomic.add('c2'), '[1,1] instead of [2,2]'],
    [
      'judgeAtomicCalls',
      'a call that is done twice',
      ({ collections }) => collections.remittances?.push({ correlationId: 'c1', status: 'SUCCEEDED' }),
      '[2,2] instead of [1,1]',
    ],
    [
      'judgeAtomicCalls',
      'an operation too many',
      ({ collections }) => collections.operations?.push({ operationId: 'c1' }),
      'Ids of operations',
    ],
    ['judgeWebhooks', 'a wrong signature', ({ receiveInvalid }) => receiveInvalid(), 'wrong signature'],
    [
      'judgeWebhooks',
      'one that is not delivered',
      ({ collections }) => Object.assign(collections.webhookDeliveries?.[0] ?? {}, { status: 'DEAD' }),
      'not delivered: 1',
    ],
    ['judgeWebhooks', 'one that has not arrived', ({ webhooks }) => webhooks.delete('w3'), '[3,2]'],
    [
      'judgeWebhooks',
      'a create without one',
      ({ webhooks }) => webhooks.set('w1', { event: 'operation_created', referenceId: 'r2' }),
      'Creates without their webhook: ["r1"]',
    ],
    [
      'judgeWebhooks',
      'a cancel without one',
      ({ ledger }) => ledger.cancelled.add('r1'),
      'Webhooks of cancels',
    ],
    [
      'judgeEvents',
      'a gap',
      ({ collections }) => Object.assign(collections.events?.[3] ?? {}, { seq: 5 }),
      'number 3 of partition 5 is missing',
    ],
    [
      'judgeEvents',
      'another end of the log',
      ({ collections }) => Object.assign(collections.eventHeads?.[0] ?? {}, { lastSeq: 5 }),
      'last number of partition 3: 5 instead of 1',
    ],
    [
      'judgeEvents',
      'a version that is there twice',
      ({ collections }) => Object.assign(collections.events?.[2] ?? {}, { version: 1 }),
      '[3,2] instead of [3,3]',
    ],
    ['judgeFollowed', 'a lost live event', ({ followed }) => followed.pop(), 'r2: PENDING'],
    ['judgeFollowed', 'a wrong order', ({ followed }) => followed.reverse(), 'r2: CANCELLED, PENDING'],
    ['judgeFollowed', 'an event lost from the log', ({ replayed }) => replayed.shift(), 'r1: none'],
    [
      'judgeFollowed',
      'an event of another money request',
      ({ followed }) => followed.push({ referenceId: 'r3', status: 'PENDING' }),
      'Live events: 4 instead of 3',
    ],
  ])('%s reports %s', async (name, _fault, change, words) => {
    const left = leave();
    change(left);
    await expect(JUDGES[name](left.settled)).rejects.toThrow(words);
  });
});
