import { describe, expect, test } from '@jest/globals';
import { createBox } from '../kernel/crypto/box.ts';
import { addToChain, hashEntry, isSealed, NO_ENTRIES, sealEnd } from './chain.ts';
import type { JournalLine } from './chart.ts';
import type { EntryDocument } from './store/model.ts';

const START = new Date('2026-11-20T08:00:00.000Z');

const claimOf = (amount: string): JournalLine[] => [
  { account: 'PAYER_RECEIVABLE', currency: 'USD', amount },
  { account: 'PARTNER_PAYABLE', currency: 'USD', amount: `-${amount}` },
];

const ENTRY: EntryDocument = {
  _id: 'je_1',
  accountId: 'acme/live',
  entity: 'operation',
  entityId: 'op-1',
  version: 2,
  kind: 'CLAIM',
  lines: claimOf('10.50'),
  createdAt: START,
};

describe('the hash of an entry', () => {
  test('is that of the known answer', () => {
    const placed = { ...ENTRY, number: 1, bookedAt: START, day: '2026-11-20' };
    // Computed by another program.
    expect(hashEntry(NO_ENTRIES.hash, placed)).toBe(
      'ed99b88efac94b77da09447efebc8345a73c803162fa1b3d3d1dc0b494e3ef68',
    );
  });

  test.each<[string, object]>([
    ['_id', { _id: 'je_2' }],
    ['accountId', { accountId: 'acme/sandbox' }],
    ['entityId', { entityId: 'op-2' }],
    ['version', { version: 3 }],
    ['kind', { kind: 'RELEASE' }],
    ['lines', { lines: claimOf('10.51') }],
    ['createdAt', { createdAt: new Date(START.getTime() + 1) }],
    ['number', { number: 2 }],
    ['bookedAt', { bookedAt: new Date(START.getTime() + 1) }],
    ['day', { day: '2026-11-21' }],
  ])('changes with %s', (_field, change) => {
    const placed = { ...ENTRY, number: 1, bookedAt: START, day: '2026-11-20' };
    expect(hashEntry(NO_ENTRIES.hash, { ...placed, ...change })).not.toBe(hashEntry(NO_ENTRIES.hash, placed));
  });
});

test('an entry of an earlier time counts at the time of the entry before it', () => {
  const first = addToChain(NO_ENTRIES, ENTRY);
  const earlier = { ...ENTRY, createdAt: new Date(START.getTime() - 86_400_000) };
  const second = addToChain(first.end, earlier);
  expect(second.entry).toMatchObject({ number: 2, bookedAt: START, day: '2026-11-20' });
  expect(second.end.balances).toEqual(claimOf('21').toReversed());
});

describe('a seal', () => {
  const box = createBox(Buffer.alloc(32, 1));
  const { balances } = addToChain(NO_ENTRIES, ENTRY).end;
  const end = {
    _id: 'acme/live|2026-11-20',
    accountId: 'acme/live',
    number: 1,
    hash: 'ab',
    bookedAt: START,
    balances,
  };
  const seal = sealEnd(box, end);

  test('is that of its end', () => {
    expect(isSealed(box, { ...end, seal })).toBe(true);
  });

  test.each<[string, object]>([
    ['number', { number: 2 }],
    ['hash', { hash: 'ac' }],
    ['bookedAt', { bookedAt: new Date(START.getTime() + 1) }],
    ['balances', { balances: [] }],
    ['day', { _id: 'acme/live|2026-11-21' }],
  ])('is not that of an end with another %s', (_field, change) => {
    expect(isSealed(box, { ...end, ...change, seal })).toBe(false);
  });

  test('made with another key is none', () => {
    const other = createBox(Buffer.alloc(32, 2));
    expect(isSealed(box, { ...end, seal: sealEnd(other, end) })).toBe(false);
  });
});
