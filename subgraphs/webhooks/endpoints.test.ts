import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { presentHealth } from './endpoint-health.ts';
import { hourOf, minuteOf, unknownEndpoint } from './endpoint-state.ts';
import { openTestBench, type TestBench } from './testing-engine.ts';

const NOW = new Date('2026-11-23T10:00:30Z');

describe('the health of an endpoint', () => {
  const state = { _id: 'e1', ...unknownEndpoint('acme/sandbox', NOW) };

  test('is of the last hour: counts by outcome, rate and latencies', () => {
    const minute = minuteOf(NOW);
    const health = presentHealth(
      {
        ...state,
        minutes: {
          [minute]: { outcomes: { delivered: 90, timeout: 5 }, latency: { 1: 90, 9: 5 } },
          [minute - 59]: { outcomes: { delivered: 4, refused_address: 1, network: 1 }, latency: { 1: 6 } },
          [minute - 60]: { outcomes: { http_status: 1_000 }, latency: { 8: 1_000 } },
        },
        lastError: { errorClass: 'refused_address', at: NOW },
      },
      NOW,
    );
    expect(health.attempts).toEqual({ delivered: 94, timeout: 5, network: 2 });
    expect(health.successRate).toBeCloseTo(94 / 101);
    // 96 of 101 took 10 to 25 ms.
    expect(health.p50Ms).toBe(18);
    expect(health.p95Ms).toBe(25);
    expect(health.lastError).toEqual({ errorClass: 'network', statusCode: null, at: NOW });
  });

  test('has no rate and no latencies without attempts', () => {
    const { hours, latency, ...health } = presentHealth(state, NOW);
    expect([...hours, ...latency].some((one) => Object.values(one).some((value) => value === 1))).toBe(false);
    expect(health).toEqual({
      endpoint: 'e1',
      accountId: 'acme/sandbox',
      pausedAt: null,
      breaker: { state: 'CLOSED', since: NOW, probeAt: null },
      attempts: {},
      successRate: null,
      p50Ms: null,
      p95Ms: null,
      lastError: null,
      lastSuccessAt: null,
    });
  });

  test('has the attempts of the last 24 hours, by hour and by latency', () => {
    const hour = hourOf(NOW);
    const hours = {
      [hour]: { delivered: 3, failed: 1, latency: { 0: 3, 11: 1 } },
      [hour - 23]: { failed: 2, latency: { 11: 2 } },
      [hour - 24]: { delivered: 1_000, latency: { 1: 1_000 } },
    };
    const health = presentHealth({ ...state, hours }, NOW);
    expect(health.hours).toHaveLength(24);
    expect(health.hours.filter(({ delivered, failed }) => delivered + failed > 0)).toEqual([
      { from: new Date('2026-11-22T11:00:00Z'), delivered: 0, failed: 2 },
      { from: new Date('2026-11-23T10:00:00Z'), delivered: 3, failed: 1 },
    ]);
    expect(health.latency).toHaveLength(12);
    expect(health.latency.filter(({ count }) => count > 0)).toEqual([
      { upToMs: 10, count: 3 },
      { upToMs: null, count: 3 },
    ]);
  });

  test('says the last bound for longer attempts', () => {
    const minutes = { [minuteOf(NOW)]: { outcomes: { timeout: 2 }, latency: { 11: 2 } } };
    expect(presentHealth({ ...state, minutes }, NOW)).toMatchObject({ p50Ms: 30_000, successRate: 0 });
  });
});

describe('the pause of an endpoint', () => {
  let bench: TestBench;
  beforeAll(async () => {
    bench = await openTestBench();
  });
  afterEach(() => bench.reset());
  afterAll(() => bench.close());

  test('is since it was first paused, ends once, and can be before anything was sent', async () => {
    const engine = bench.start();
    const { endpoints } = engine;
    const endpoint = endpoints.identify('acme/sandbox', 'https://hooks.acme.test/');
    const paused = await bench.hold('pause', engine, endpoint);
    expect(paused).toMatchObject({ endpoint, accountId: 'acme/sandbox', pausedAt: expect.any(Date) });
    expect(await bench.hold('pause', engine, endpoint)).toEqual(paused);
    expect(await endpoints.health('acme/sandbox')).toEqual([paused]);
    for (const _time of ['first', 'second']) {
      expect(await bench.hold('resume', engine, endpoint)).toEqual({ ...paused, pausedAt: null });
    }
    expect(await bench.models.endpointStates.countDocuments({ holds: 'PAUSED' })).toBe(0);
  });

  test('of two calls at once is one', async () => {
    const engine = bench.start();
    const all = await Promise.all([1, 2, 3, 4].map(() => bench.hold('pause', engine, 'e1')));
    expect(new Set(all.map((one) => one?.pausedAt?.getTime())).size).toBe(1);
    expect(await bench.models.endpointStates.findById('e1').lean()).toMatchObject({ holds: ['PAUSED'] });
  });

  test("of another tenant's endpoint changes nothing and shows nothing", async () => {
    const engine = bench.start();
    await bench.hold('pause', engine, 'e1');
    const before = await bench.models.endpointStates.find().lean();
    expect(await bench.hold('resume', engine, 'e1', 'globex/sandbox')).toBeUndefined();
    await expect(bench.hold('pause', engine, 'e1', 'globex/sandbox')).rejects.toThrow('E11000');
    expect(await engine.endpoints.health('globex/sandbox')).toEqual([]);
    expect(await bench.models.endpointStates.find().lean()).toEqual(before);
  });
});
