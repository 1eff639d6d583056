import { describe, expect, test } from '@jest/globals';
import { bodyOf, newReference, useBench } from '../testing.ts';

const bench = useBench();

describe('a move to processing or completed', () => {
  test.each<[string, string | undefined]>([
    ['is missing', undefined],
    ['rounds the price to 0', '1000000'],
    ['takes the price over the limit', '0.000000001'],
  ])('without a price nothing moves, and an alert names the fault: the rate %s', async (_name, rate) => {
    const referenceId = newReference();
    await bench.create(bodyOf(referenceId));
    const { tenants, missingPrices } = bench.deps;
    const fxRate = tenants.fxRate;
    const before = missingPrices.count();
    bench.forget();
    tenants.fxRate = async () => (rate === undefined ? undefined : { rate, isStale: false });
    try {
      for (const status of ['processing', 'completed']) {
        expect(await bench.update(referenceId, { status })).toMatchObject({
          failures: [{ code: 'NO_PRICE' }],
        });
      }
    } finally {
      tenants.fxRate = fxRate;
    }
    expect(bench.sent()).toEqual(['operation_error', 'operation_error']);
    expect(bench.dataOf('operation_error')).toMatchObject({ code: 'NO_PRICE', httpStatus: 409 });
    expect(missingPrices.count() - before).toBe(2);
    const found = await bench.deps.moneyRequests.find('acme/sandbox', referenceId);
    expect([found?.status, found?.version, found?.operationId]).toEqual(['pending', 1, undefined]);
    expect(await bench.update(referenceId, { status: 'completed' })).toMatchObject({ ok: true });
  });

  test('a money request that has its price, or ends without one, needs no rate any more', async () => {
    const [paid, expired] = [newReference(), newReference()];
    await bench.create(bodyOf(paid));
    await bench.create(bodyOf(expired));
    await bench.update(paid, { status: 'processing' });
    const fxRate = bench.deps.tenants.fxRate;
    bench.deps.tenants.fxRate = async () => undefined;
    try {
      expect(await bench.update(paid, { status: 'completed' })).toMatchObject({ ok: true });
      expect(await bench.update(expired, { status: 'cancelled' })).toMatchObject({ ok: true });
    } finally {
      bench.deps.tenants.fxRate = fxRate;
    }
  });
});

test('a create is refused without a rate, as without a route', async () => {
  const fxRate = bench.deps.tenants.fxRate;
  bench.deps.tenants.fxRate = async () => undefined;
  expect(await bench.create(bodyOf(newReference()))).toMatchObject({
    failures: [{ code: 'ROUTE_NOT_AVAILABLE' }],
  });
  bench.deps.tenants.fxRate = fxRate;
});
