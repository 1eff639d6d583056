import { describe, expect, jest, test } from '@jest/globals';
import { bodyOf, newReference, useBench } from '../testing.ts';

const bench = useBench();

describe('an earlier create that a failover of the database undoes after it was read', () => {
  test.each([
    ['the same key', 'key-of-both'],
    ['no key', undefined],
    ['another key', 'key-of-one'],
  ])('is not answered to a repeat with %s: the repeat is created', async (_name, key) => {
    const referenceId = newReference();
    await bench.create(bodyOf(referenceId), key && `key-of-both-${referenceId}`);
    bench.forget();
    const repeat = bench.deps.transaction;
    const { connection } = bench.database;
    jest.spyOn(bench.deps, 'transaction').mockImplementationOnce(async (...args) => {
      await connection.collection('moneyRequests').deleteOne({ referenceId });
      await connection.collection('idempotencyKeys').deleteMany({});
      return repeat(...args);
    });
    const repeated = await bench.create(bodyOf(referenceId), key && `${key}-${referenceId}`);
    expect(repeated).toMatchObject({ ok: true, value: { moneyRequest: { referenceId } } });
    expect(bench.sent()).toEqual(['operation_created', 'request_money.created']);
    expect(await connection.collection('moneyRequests').countDocuments({ referenceId })).toBe(1);
  });
});
