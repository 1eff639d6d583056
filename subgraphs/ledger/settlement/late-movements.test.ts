import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ACME, NOVEMBER, op, openSettlementBench, ops, type SettlementBench } from './testing.ts';

let bench: SettlementBench;
beforeEach(async () => {
  bench = await openSettlementBench();
});
afterEach(() => bench.close());

const ROW = op(0);
const OTHER = { reference: 'other', amount: '1' };

describe('an import', () => {
  test('matches a row of an earlier file whose movement was posted after it, whatever was decided meanwhile', async () => {
    const late = ops(2);
    await bench.import(late);
    const { nodes } = await bench.discrepancies.list(ACME, { reference: 'op_1' }, {});
    const decision = { id: String(nodes[0]?._id), version: 0, state: 'ACCEPTED' } as const;
    await bench.discrepancies.resolve({ accountId: ACME, keyId: 'key_1', scopes: [] }, decision);
    await bench.post(late);
    const { file } = await bench.import([], { period: NOVEMBER });
    expect(file).toMatchObject({ matched: 0, opened: {} });
    expect(await bench.found()).toEqual(['MISSING_WITH_US op_0 RESOLVED', 'MISSING_WITH_US op_1 ACCEPTED']);
    expect(await bench.models.rows.countDocuments({ isMatch: true })).toBe(2);
    const log = (await bench.discrepancies.list(ACME, { reference: 'op_0' }, {})).nodes[0]?.log;
    expect(log).toMatchObject([{ by: null, state: 'RESOLVED', note: expect.stringContaining('journal') }]);
    // A second row about it is a duplicate, although the first came before the movement.
    await bench.import([{ ...ROW, day: '2026-11-21' }]);
    expect(await bench.found()).toContain('DUPLICATE op_0 OPEN');
  });

  test('reports another amount of a movement that was posted after its row as a new discrepancy, once', async () => {
    const first = await bench.import([{ ...ROW, amount: '9' }]);
    await bench.post([ROW]);
    const { file } = await bench.import([OTHER], { period: NOVEMBER });
    const found = ['AMOUNT_DIFFERS op_0 OPEN', 'MISSING_WITH_US op_0 RESOLVED', 'MISSING_WITH_US other OPEN'];
    expect(file.opened).toEqual({ AMOUNT_DIFFERS: 1, MISSING_WITH_US: 1 });
    const { nodes } = await bench.discrepancies.list(ACME, { reference: 'op_0', kind: 'AMOUNT_DIFFERS' }, {});
    expect(nodes).toMatchObject([{ fileId: first.file.fileId, line: 2 }]);
    expect(await bench.found()).toEqual(found);
    await bench.import([{ ...ROW, amount: '9' }], { period: NOVEMBER });
    expect(await bench.found()).toEqual(found);
  });

  test('does not match rows of another provider again', async () => {
    await bench.import([ROW]);
    await bench.post([ROW]);
    await bench.import([OTHER], { mapping: { provider: 'bank' } });
    expect(await bench.found()).toEqual(['MISSING_WITH_US op_0 OPEN', 'MISSING_WITH_US other OPEN']);
  });

  test('with days after the files of both providers finds what neither has, and nothing that the other has', async () => {
    await bench.post(ops(3));
    await bench.import([op(0)]);
    const bank = { mapping: { provider: 'bank' } };
    await bench.import([op(1)], { ...bank, period: NOVEMBER });
    expect(await bench.found()).toEqual(['MISSING_WITH_THEM op_2 OPEN']);
    const { file } = await bench.import([op(0)], { period: NOVEMBER });
    expect(file.opened).toEqual({});
  });

  test('with a right mapping matches the rows that a wrong one did not, and resolves both sides', async () => {
    await bench.post([{ ...ROW, day: '2026-11-17' }]);
    await bench.import([ROW], { period: NOVEMBER });
    expect(await bench.found()).toEqual(['MISSING_WITH_THEM op_0 OPEN', 'MISSING_WITH_US op_0 OPEN']);
    await bench.import([ROW], { period: NOVEMBER, mapping: { windowDays: 3 } });
    expect(await bench.found()).toEqual(['MISSING_WITH_THEM op_0 RESOLVED', 'MISSING_WITH_US op_0 RESOLVED']);
  });

  test('that is killed while it matches earlier rows again goes on with them', async () => {
    await bench.import(ops(450));
    await bench.post(ops(450));
    const kills = await bench.importKilled([], { period: NOVEMBER });
    expect(kills).toBeGreaterThan(3);
    expect(new Set(await bench.found()).size).toBe(450);
    expect(await bench.models.discrepancies.countDocuments({ state: 'RESOLVED', version: 1 })).toBe(450);
  });
});
