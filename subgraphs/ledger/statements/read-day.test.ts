import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ACME, openStatementsBench, type StatementsBench } from './testing.ts';

let on: StatementsBench;
beforeEach(async () => {
  on = await openStatementsBench();
});
afterEach(() => on.bench.close());

const CHANGES: Readonly<
  Record<string, readonly [zone: string, change: () => Promise<unknown>, error: string]>
> = {
  'an entry that was moved to a later day': [
    'UTC',
    () => changeEntry(4, { bookedAt: new Date('2026-11-30T12:00:00Z') }),
    'changed entry 4',
  ],
  'an entry that was moved to a later day, behind the end of a day in UTC': [
    'America/Mexico_City',
    () => changeEntry(4, { bookedAt: new Date('2026-11-30T12:00:00Z') }),
    'changed entry 4',
  ],
  'the end of a day': [
    'UTC',
    () => on.bench.models.days.updateOne({ _id: `${ACME}|2026-11-30` }, { $set: { number: 3 } }),
    'changed an end of the journal',
  ],
  'an end of the journal that was set back, with the entries behind it gone': [
    'UTC',
    async () => {
      const end = await on.bench.models.days.findById(`${ACME}|2026-11-29`).lean().orFail();
      const { number, hash, balances } = end;
      const bookedAt = new Date('2026-12-01T00:00:00Z');
      await on.bench.models.heads.updateOne({ _id: ACME }, { $set: { number, hash, balances, bookedAt } });
      await on.bench.models.days.deleteOne({ _id: `${ACME}|2026-11-30` });
      await on.bench.models.entries.deleteMany({ accountId: ACME, number: { $gt: number } });
    },
    'changed the end of the journal',
  ],
  'the balances of the last statements': [
    'UTC',
    () => on.models.closings.updateOne({ _id: ACME }, { $set: { 'balances.0.amount': '-1000000' } }),
    'changed the journal, or the end of the statements',
  ],
  'the balances at the beginning of the month': [
    'UTC',
    () =>
      on.models.closings.updateOne(
        { _id: ACME },
        { $set: { 'month.balances': [{ account: 'FEE_INCOME', currency: 'USD', amount: '-5' }] } },
      ),
    'changed the statements',
  ],
};
const changeEntry = (number: number, $set: object) =>
  on.bench.models.entries.updateOne({ accountId: ACME, number }, { $set });

test.each(Object.entries(CHANGES))(
  'no statement is issued after a change of %s',
  async (_name, [zone, change, error]) => {
    on.timeZone = zone;
    await on.post('2026-11-29T08:00:00Z');
    await on.post('2026-11-29T23:00:00Z');
    await on.runAt('2026-11-30T09:00:00Z');
    await on.post('2026-11-30T18:00:00Z');
    await on.post(zone === 'UTC' ? '2026-11-30T19:00:00Z' : '2026-12-01T01:00:00Z');
    const issued = (await on.read({ period: 'day' })).length;
    await change();
    await expect(on.runAt('2026-12-01T09:00:00Z')).rejects.toThrow(error);
    expect(await on.read({ period: 'day' })).toHaveLength(issued);
  },
);
