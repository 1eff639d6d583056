import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AccountId } from '../kernel/account.ts';
import { times } from '../runtime/events/testing.ts';
import { checkJournal } from './audit.ts';
import { claimOf, type LedgerBench, openLedgerBench, START } from './testing.ts';

let bench: LedgerBench;
beforeEach(async () => {
  bench = await openLedgerBench();
});
afterEach(() => bench.close());

const sealed = async (accountId: AccountId = 'acme/sandbox') =>
  bench.models.entries
    .find({ accountId, number: { $gt: 0 } })
    .sort({ number: 1 })
    .lean();

describe('sealing', () => {
  test('chains entries in the order of the event log, each account on its own', async () => {
    await bench.post([{ entityId: 'late', createdAt: new Date(START.getTime() + 60_000) }]);
    await bench.numbered();
    await bench.post([{ entityId: 'early' }, { entityId: 'live', accountId: 'acme/live' }]);
    await bench.numbered();
    expect(await bench.seal()).toBe(3);
    expect((await sealed()).map(({ entityId, number }) => [entityId, number])).toEqual([
      ['late', 1],
      ['early', 2],
    ]);
    expect((await sealed('acme/live')).map(({ number }) => number)).toEqual([1]);
    expect(await bench.models.heads.findById('acme/sandbox').lean()).toMatchObject({
      number: 2,
      balances: claimOf('21').toReversed(),
    });
    expect(await bench.verify(await bench.exported())).toEqual({ entries: 3, findings: [] });
  });

  test('keeps the versions of an operation in order, and seals each once', async () => {
    for (const version of [1, 2, 3]) {
      await bench.post([{ entityId: 'op', version }]);
    }
    await bench.numbered();
    expect([await bench.seal(), await bench.seal()]).toEqual([3, 0]);
    expect((await sealed()).map(({ version }) => version)).toEqual([1, 2, 3]);
    expect(await bench.models.entries.countDocuments({ pending: true })).toBe(0);
  });

  test('leaves an entry whose event has no number for later, in its order', async () => {
    await bench.post([{ entityId: 'first' }]);
    await bench.numbered();
    await bench.seal();
    const { models } = bench.events;
    await bench.post([{ entityId: 'second' }]);
    await bench.numbered();
    // As before its turn.
    const event = await models.events.findOneAndUpdate({ entityId: 'second' }, { $unset: { seq: 1 } }).lean();
    expect(await bench.seal()).toBe(0);
    await models.events.updateOne({ entityId: 'second' }, { $set: { seq: event?.seq } });
    expect(await bench.seal()).toBe(1);
  });

  test('by several processes at once, beside writers, gives each entry one place', async () => {
    const writers = times(4, async (writer) => {
      for (const index of times(25, (one) => one)) {
        await bench.post([{ entityId: `${writer}-${index}` }]);
      }
    });
    let isWriting = true;
    const sealers = times(3, async () => {
      while (isWriting) {
        await bench.seal();
      }
    });
    await Promise.all(writers);
    await bench.numbered();
    isWriting = false;
    await Promise.all(sealers);
    await bench.seal();
    expect((await sealed()).map(({ number }) => number)).toEqual(times(100, (index) => index + 1));
    expect(await bench.verify(await bench.exported())).toEqual({ entries: 100, findings: [] });
  });

  test('of an account that fails stops no other account', async () => {
    await bench.post([{ entityId: 'broken', accountId: 'acme/live' }, { entityId: 'well' }]);
    await bench.numbered();
    const amount = { $set: { 'lines.0.amount': 'much' } };
    await bench.models.entries.collection.updateOne({ entityId: 'broken' }, amount);
    await expect(bench.seal()).rejects.toThrow(/DecimalError/);
    expect(await sealed('acme/live')).toEqual([]);
    expect((await sealed()).map(({ entityId }) => entityId)).toEqual(['well']);
  });

  test('adds nothing to an end that somebody has changed', async () => {
    await bench.post([{ entityId: 'one' }]);
    await bench.numbered();
    await bench.seal();
    const { heads } = bench.models;
    const head = await heads.findById('acme/sandbox').lean();
    await heads.updateOne({}, { $set: { hash: 'f'.repeat(64) } });
    await bench.post([{ entityId: 'two' }]);
    await bench.numbered();
    await expect(bench.seal()).rejects.toThrow(/changed the end of the journal of acme.sandbox/);
    await heads.updateOne({}, { $set: { hash: head?.hash } });
    expect(await bench.seal()).toBe(1);
  });

  test('begins no second chain when the end of the first is gone', async () => {
    await bench.post([{ entityId: 'one' }]);
    await bench.numbered();
    await bench.seal();
    const head = await bench.models.heads.findOneAndDelete({}).lean().orFail();
    await bench.post([{ entityId: 'two' }]);
    await bench.numbered();
    await expect(bench.seal()).rejects.toThrow(/changed the end of the journal of acme.sandbox/);
    await bench.models.heads.create(head);
    expect(await bench.seal()).toBe(1);
    expect(await bench.verify(await bench.exported())).toEqual({ entries: 2, findings: [] });
  });

  test('is missing for an entry after ten minutes, unless the clock was set forward meanwhile', async () => {
    await bench.post([{ entityId: 'one' }]);
    const unsealedAfter = async (ms: number, isAhead: boolean) => {
      const found = [];
      const { examine } = checkJournal(bench.models, bench.box, () => isAhead);
      const range = { from: START, before: new Date(START.getTime() + ms) };
      for await (const batch of examine('acme/sandbox', range)) {
        found.push(...batch.found.map(({ text }) => text));
      }
      return found;
    };
    expect(await unsealedAfter(600_001, false)).toEqual(['The entry has no place in the chain']);
    expect(await unsealedAfter(600_000, false)).toEqual([]);
    expect(await unsealedAfter(600_001, true)).toEqual([]);
  });

  test('that dies before its commit leaves everything to the next', async () => {
    await bench.post([{ entityId: 'one' }, { entityId: 'two' }]);
    await bench.numbered();
    const dying = bench.seal({ beforeCommit: () => Promise.reject(new Error('killed')) });
    await expect(dying).rejects.toThrow('killed');
    expect(await bench.models.heads.countDocuments()).toBe(0);
    expect(await bench.models.days.countDocuments()).toBe(0);
    expect(await sealed()).toEqual([]);
    expect(await bench.seal()).toBe(2);
    expect(await bench.verify(await bench.exported())).toMatchObject({ entries: 2, findings: [] });
  });
});
