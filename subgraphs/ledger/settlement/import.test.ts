import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { IS_FULL } from '../../../test/support/depth.ts';
import type { RunTransaction } from '../../kernel/database/transaction.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { ACME, type Money, NOVEMBER, op, openSettlementBench, ops, type SettlementBench } from './testing.ts';

let bench: SettlementBench;
beforeEach(async () => {
  bench = await openSettlementBench();
});
afterEach(() => bench.close());

const OTHER = { reference: 'other', amount: '1' };

/** Everything that imports store. */
async function stored() {
  const { files, rows, turns, discrepancies } = bench.models;
  const read = async (model: typeof files | typeof rows | typeof turns | typeof discrepancies) =>
    model.collection.find().sort({ _id: 1 }).toArray();
  return Promise.all([files, rows, turns, discrepancies].map(read));
}

/** Operations, a file about them with a fault of each kind in 1 %, and the expected discrepancies. */
function seeded(count: number) {
  const movements = ops(count);
  const rows: Money[] = [];
  const expected: string[] = [];
  const expectOne = (kind: string, { reference }: Money) => expected.push(`${kind} ${reference} OPEN`);
  for (const [index, movement] of movements.entries()) {
    const fault = index % 100;
    if (fault === 10) {
      expectOne('MISSING_WITH_THEM', movement);
      continue;
    }
    if (fault === 20) {
      rows.push({ ...movement, amount: `${index + 1}.24` });
      expectOne('AMOUNT_DIFFERS', movement);
      continue;
    }
    rows.push(movement);
    if (fault === 30) {
      rows.push(movement);
      expectOne('DUPLICATE', movement);
    }
    if (fault === 40) {
      const unknown = { ...movement, reference: `none_${index}` };
      rows.push(unknown);
      expectOne('MISSING_WITH_US', unknown);
    }
  }
  // Half of the duplicates stand in another batch than their originals.
  const [half, others] = [rows.slice(0, rows.length / 2), rows.slice(rows.length / 2)];
  const seen = new Set<Money>();
  const late = half.filter((row) => seen.has(row) || !seen.add(row));
  return { movements, rows: [...seen, ...others, ...late], expected: expected.sort() };
}

/** Does something between the reads and the writes of the nth transaction, once. */
function interrupted(nth: number, meanwhile: () => Promise<unknown>): RunTransaction {
  let calls = 0;
  return (work) =>
    bench.transaction(async (unit) => {
      const done = await work(unit);
      calls += 1;
      if (calls === nth) {
        await meanwhile();
      }
      return done;
    });
}

describe('an import', () => {
  test('finds each seeded discrepancy and invents none, although it is killed on the way', async () => {
    const { movements, rows, expected } = seeded(IS_FULL ? 3_000 : 600);
    await bench.post(movements);
    // Outside of the period, in the other environment, of another partner, and of another currency.
    await bench.post([{ ...op(1), reference: 'before', day: '2026-10-31' }]);
    await bench.post([{ ...op(1), reference: 'behind', day: '2026-12-01' }]);
    await bench.post([{ ...op(1), reference: 'live' }], 'acme/live');
    await bench.post([{ ...op(1), reference: 'theirs' }], 'globex/sandbox');
    await bench.post([{ ...op(1), reference: 'euro', currency: 'EUR' }]);
    const kills = await bench.importKilled(rows, { period: NOVEMBER });
    expect(kills).toBeGreaterThan(4);
    expect(await bench.found()).toEqual(expected);
    expect([await bench.found('acme/live'), await bench.found('globex/sandbox')]).toEqual([[], []]);
    const before = await stored();
    const { file, isRepeated } = await bench.import(rows, { period: NOVEMBER });
    const each = movements.length / 100;
    expect(isRepeated).toBe(true);
    expect(file).toMatchObject({
      ...{ rows: rows.length, matched: rows.length - 3 * each },
      opened: { MISSING_WITH_US: each, MISSING_WITH_THEM: each, AMOUNT_DIFFERS: each, DUPLICATE: each },
    });
    expect(bench.raised).toEqual([file]);
    expect(await stored()).toEqual(before);
  }, 600_000);

  test('of a file that agrees opens nothing and raises no event', async () => {
    await bench.post([op(1), { reference: 'yen', amount: '-1000', currency: 'JPY' }]);
    const rows = [op(1), { reference: 'yen', amount: '-1000.00', currency: 'JPY', day: '2026-11-21' }];
    const { file } = await bench.import(rows, { period: NOVEMBER });
    expect(file).toMatchObject({ matched: 2, opened: {} });
    expect([await bench.found(), bench.raised]).toEqual([[], []]);
  });

  test.each([
    ['another currency', { currency: 'JPY', amount: '2' }],
    ['a day outside of the window', { day: '2026-11-22' }],
    ['the other direction', { amount: '-2.25' }],
    ['a reference in capitals', { reference: 'OP_1' }],
  ])('matches no row with %s', async (_what, changes) => {
    await bench.post([op(1)]);
    const row = { ...op(1), ...changes };
    await bench.import([row], { period: NOVEMBER });
    expect(await bench.found()).toEqual(
      ['MISSING_WITH_THEM op_1 OPEN', `MISSING_WITH_US ${row.reference} OPEN`].sort(),
    );
  });

  test('of a corrected file opens no discrepancy twice, and resolves what was missing', async () => {
    await bench.post(ops(3));
    const [first, second, third] = [op(0), op(1), op(2)];
    const wrong = { ...second, amount: '1' };
    const unknown = { ...first, reference: 'unknown' };
    await bench.import([first, wrong, unknown], { period: NOVEMBER });
    const before = [
      'AMOUNT_DIFFERS op_1 OPEN',
      'MISSING_WITH_THEM op_2 OPEN',
      'MISSING_WITH_US unknown OPEN',
    ];
    expect(await bench.found()).toEqual(before);
    const { file } = await bench.import([third, unknown, first, wrong], { period: NOVEMBER });
    expect(file).toMatchObject({ matched: 1, opened: {} });
    expect(await bench.found()).toEqual(before.with(1, 'MISSING_WITH_THEM op_2 RESOLVED'));
    const { nodes } = await bench.discrepancies.list(ACME, { reference: 'op_2' }, {});
    expect(nodes[0]?.log).toEqual([
      expect.objectContaining({ by: null, state: 'RESOLVED', note: expect.stringContaining('has it') }),
    ]);
  });

  test('leaves a decision about a missing movement as it is when a later file has it', async () => {
    await bench.post([op(1)]);
    await bench.import([], { period: NOVEMBER });
    const { nodes } = await bench.discrepancies.list(ACME, {}, {});
    const principal = { accountId: ACME, keyId: 'key_1', scopes: [] } as const;
    await bench.discrepancies.resolve(principal, {
      id: String(nodes[0]?._id),
      version: 0,
      state: 'ACCEPTED',
    });
    await bench.import([op(1)], { period: NOVEMBER });
    expect(await bench.found()).toEqual(['MISSING_WITH_THEM op_1 ACCEPTED']);
  });

  test('finds a row of an earlier day again as a duplicate', async () => {
    await bench.post([op(1)]);
    await bench.import([op(1)]);
    await bench.import([{ ...op(1), day: '2026-11-21' }]);
    expect(await bench.found()).toEqual(['DUPLICATE op_1 OPEN']);
  });

  test.each(['collections', 'payouts'] as const)(
    'of %s misses no movement of the other kind',
    async (amounts) => {
      await bench.post([
        { reference: 'in', amount: '5' },
        { reference: 'out', amount: '-5' },
      ]);
      await bench.import([], { period: NOVEMBER, mapping: { amounts } });
      expect(await bench.found()).toEqual([`MISSING_WITH_THEM ${amounts === 'payouts' ? 'out' : 'in'} OPEN`]);
    },
  );

  test('finds what is missing at both ends of a long period', async () => {
    await bench.post([{ ...op(1), day: '2026-11-01' }]);
    await bench.post(ops(IS_FULL ? 6_000 : 1_500).map((one) => ({ ...one, currency: 'EUR' })));
    await bench.post([{ ...op(2), day: '2026-11-30' }]);
    await bench.import([], { period: NOVEMBER });
    expect(await bench.found()).toEqual(['MISSING_WITH_THEM op_1 OPEN', 'MISSING_WITH_THEM op_2 OPEN']);
  });

  test("looks at the days of the period in the mapping's zone", async () => {
    await bench.post([{ ...op(1), day: '2026-11-10' }]);
    // 10:00 in UTC is the next day in Kiritimati.
    const mapping = { timeZone: 'Pacific/Kiritimati' };
    await bench.import([], { mapping, period: { from: '2026-11-10', to: '2026-11-10' } });
    expect(await bench.found()).toEqual([]);
    await bench.import([], { mapping, period: { from: '2026-11-11', to: '2026-11-11' } });
    expect(await bench.found()).toEqual(['MISSING_WITH_THEM op_1 OPEN']);
  });

  test('matches no movement of another partner or environment', async () => {
    await bench.post([op(1)], 'globex/sandbox');
    await bench.post([op(2)], 'acme/live');
    await bench.import([op(1), op(2)]);
    expect(await bench.found()).toEqual(['MISSING_WITH_US op_1 OPEN', 'MISSING_WITH_US op_2 OPEN']);
    await bench.import([op(1), op(2)], { accountId: 'acme/live' });
    expect(await bench.found('acme/live')).toEqual(['MISSING_WITH_US op_1 OPEN']);
    expect(await bench.found('globex/sandbox')).toEqual([]);
  });
});

describe('two imports at once', () => {
  test('of one file count each row once', async () => {
    await bench.post(ops(700));
    const rows = [...ops(699), OTHER];
    const results = await Promise.all([1, 2].map(() => bench.import(rows, { period: NOVEMBER })));
    const { file } = await bench.import(rows, { period: NOVEMBER });
    expect(file).toMatchObject({ matched: 699, opened: { MISSING_WITH_US: 1, MISSING_WITH_THEM: 1 } });
    expect(results.map((one) => one.file)).toEqual([file, file]);
    expect(await bench.found()).toEqual(['MISSING_WITH_THEM op_699 OPEN', 'MISSING_WITH_US other OPEN']);
    expect(await bench.models.rows.countDocuments({})).toBe(700);
    expect(bench.raised).toHaveLength(1);
  });

  test('with the same movement match it once', async () => {
    await bench.post([op(1)]);
    const late = { ...op(1), day: '2026-11-21' };
    const transaction = interrupted(1, () => bench.import([late]));
    await bench.import([op(1)], { transaction });
    expect(await bench.found()).toEqual(['DUPLICATE op_1 OPEN']);
    expect(await bench.models.rows.countDocuments({ isMatch: true })).toBe(1);
  });

  test('report no movement as missing that the other one has', async () => {
    await bench.post([op(1), op(2)]);
    // The second transaction of the one looks for missing movements.
    const transaction = interrupted(2, () => bench.import([op(2)]));
    await bench.import([op(1)], { period: NOVEMBER, transaction });
    expect(await bench.found()).toEqual([]);
  });

  test('resolve a movement as missing that the other one reports', async () => {
    await bench.post([op(1), op(2)]);
    const transaction = interrupted(1, () => bench.import([op(1)], { period: NOVEMBER }));
    await bench.import([op(2)], { transaction });
    expect(await bench.found()).toEqual(['MISSING_WITH_THEM op_2 RESOLVED']);
  });
});

describe('a file', () => {
  test('is compared again with another mapping or period, and its rows are skipped', async () => {
    await bench.post([op(1), op(2)]);
    await bench.import([op(1)]);
    const { file, isRepeated } = await bench.import([op(1)], { period: NOVEMBER });
    expect([isRepeated, file.matched, file.opened]).toEqual([false, 0, { MISSING_WITH_THEM: 1 }]);
    await bench.import([op(1)], { mapping: { windowDays: 5 } });
    expect(await bench.found()).toEqual(['MISSING_WITH_THEM op_2 OPEN']);
  });

  test.each([
    ['not ended', { from: '2026-11-01', to: '2026-12-01' }],
    ['an end before its beginning', { from: '2026-11-02', to: '2026-11-01' }],
  ])('is refused with a period that has %s', async (_what, period) => {
    await expect(bench.import([op(1)], { period })).rejects.toThrow('must end before today');
    expect(await stored()).toEqual([[], [], [], []]);
  });

  test('is not imported at all when it is wrong behind its rows', async () => {
    const fault = new OperatorError('line 602, column amount: is 0');
    await expect(bench.import(ops(600), { fault })).rejects.toThrow(fault);
    expect(await stored()).toEqual([[], [], [], []]);
  });

  test('whose record a reset removes asks to be imported again, at each of its transactions', async () => {
    await bench.post(ops(1));
    for (const nth of [1, 2]) {
      const removed = interrupted(nth, () => bench.models.files.deleteMany({}));
      const again = { transaction: removed };
      await expect(bench.import([op(0)], again)).rejects.toThrow(
        'was reset meanwhile: import the file again',
      );
    }
  });

  test('that changes while it is imported is refused, and its rows count once', async () => {
    await bench.post(ops(2));
    await expect(bench.import([op(0)], { second: [op(1)] })).rejects.toThrow('changed while it was imported');
    expect(bench.raised).toEqual([]);
    const { file } = await bench.import([op(0), op(1)]);
    expect(file).toMatchObject({ matched: 1, opened: {} });
  });
});
