import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { holdCallTimes } from '../../test/support/held-time.ts';
import { until } from '../../test/support/until.ts';
import { accountOf } from '../kernel/account.ts';
import { answering, CALL, useProviderStand } from './testing.ts';

const { listen, listenRaw, endpointAt } = useProviderStand();
let release: (() => void) | undefined;
afterEach(() => release?.());

/** Holds the time of calls, until the end of the test. @returns ends it for those under way */
function holdTimes(): () => void {
  const times = holdCallTimes();
  release = times.release;
  return times.end;
}

describe('the calls of a tenant', () => {
  test('that are all under way hold up no other tenant, and no other environment', async () => {
    let held = 0;
    const url = await listen((request, response) => {
      if (
        request.headers['x-environment'] === 'live' &&
        String(request.headers['idempotency-key']).startsWith('acme')
      ) {
        held += 1;
        return;
      }
      response.end('{}');
    });
    const endpoint = endpointAt(url, { callsOfAGroup: 3 });
    const waiting = Array.from({ length: 50 }, () => endpoint.post(CALL));
    await until('as many calls as one tenant may make', () => held === 3);
    const others = [
      { ...CALL, accountId: 'acme/sandbox' as const },
      { ...CALL, accountId: 'globex/live' as const, idempotencyKey: 'globex:1' },
    ];
    for (const other of others) {
      expect(await endpoint.post(other)).toMatchObject({ kind: 'answered' });
    }
    expect(held).toBe(3);
    await endpoint.close();
    await Promise.all(waiting.slice(0, 3));
  });

  test('that find no room in their time were not sent, and are no failures of the endpoint', async () => {
    let answer: RequestListener = () => undefined;
    const url = await listen((request, response) => answer(request, response));
    const endpoint = endpointAt(url, { callsOfAGroup: 1, timeoutMs: 500, leaveAloneMs: 3_600_000 });
    const exchanged = await Promise.all(Array.from({ length: 40 }, () => endpoint.post(CALL)));
    const notMade = exchanged.filter(({ kind }) => kind === 'left_alone');
    expect(notMade.length).toBeGreaterThan(30);
    expect(notMade).toEqual(notMade.map(() => ({ kind: 'left_alone', notSent: true })));
    answer = answering(200, '{}');
    await until('an answer', async () => (await endpoint.post(CALL)).kind === 'answered');
  });
});

describe('a call that gets its turn too late to be made', () => {
  test('is not made in the last tenth of its time', async () => {
    let called = 0;
    const url = await listen((request, response) => {
      called += 1;
      setTimeout(() => answering(200, '{}')(request, response), 950);
    });
    const endpoint = endpointAt(url, { callsOfAGroup: 1, timeoutMs: 1_000 });
    const first = endpoint.post(CALL);
    expect(await endpoint.post(CALL)).toEqual({ kind: 'left_alone', notSent: true });
    await first;
    expect(called).toBe(1);
  });

  /** An endpoint of which 503 is the answer, until it hangs. */
  const hanging = async () => {
    let isHung = false;
    let called = 0;
    const url = await listen((request, response) => {
      called += 1;
      if (!isHung) {
        answering(503, '{}')(request, response);
      }
    });
    return {
      url,
      called: () => called,
      hang: () => {
        isHung = true;
      },
      answer: () => {
        isHung = false;
      },
    };
  };

  test('does not reset the count of failures in a row', async () => {
    const { url, hang, answer, called } = await hanging();
    const endTimes = holdTimes();
    const endpoint = endpointAt(url, { callsOfAGroup: 1, leaveAloneMs: 3_600_000 });
    for (let call = 1; call <= 18; call += 1) {
      expect(await endpoint.post(CALL)).toMatchObject({ statusCode: 503 });
    }
    hang();
    const both = Promise.all([endpoint.post(CALL), endpoint.post(CALL)]);
    await until('the call that hangs', () => called() === 19);
    endTimes();
    const [hung, late] = await both;
    expect([hung.kind, late.kind]).toEqual(['timeout', 'left_alone']);
    answer();
    expect(await endpoint.post(CALL)).toMatchObject({ statusCode: 503 });
    expect(await endpoint.post(CALL)).toEqual({ kind: 'left_alone', notSent: true });
  });

  test('does not end the pause of an endpoint that fails', async () => {
    const { url, hang, called } = await hanging();
    const endTimes = holdTimes();
    const endpoint = endpointAt(url, { leaveAloneMs: 0 });
    const post = (isPatient = false) => endpoint.post({ ...CALL, isPatient });
    for (let call = 1; call <= 20; call += 1) {
      await post();
    }
    hang();
    const both = Promise.all([post(), post(true)]);
    await until('the call that hangs', () => called() === 21);
    endTimes();
    const [tried, late] = await both;
    expect([tried.kind, late.kind]).toEqual(['timeout', 'left_alone']);
    expect(called()).toBe(21);
    const next = post();
    expect(await post()).toEqual({ kind: 'left_alone', notSent: true });
    await until('the next call', () => called() === 22);
    endTimes();
    await next;
    expect(called()).toBe(22);
  });
});

test('Retry-After is read in each of its forms', async () => {
  const inMs = async (value: string | string[]) => {
    const url = await listen((_request, response) => response.writeHead(503, { 'Retry-After': value }).end());
    const exchanged = await endpointAt(url).post(CALL);
    return exchanged.kind === 'answered' ? exchanged.retryAfterMs : undefined;
  };
  expect([await inMs('120'), await inMs('soon'), await inMs('-1')]).toEqual([120_000, undefined, undefined]);
  expect(await inMs(new Date(Date.now() + 3_600_000).toUTCString())).toBeGreaterThan(3_000_000);
});

test('an endpoint that fails one group 20 times in a row is left alone by that group only', async () => {
  let calls = 0;
  const url = await listen((request, response) => {
    calls += 1;
    const isAcme = String(request.headers['idempotency-key']).startsWith('acme');
    answering(isAcme ? 503 : 200, '{}')(request, response);
  });
  const endpoint = endpointAt(url, { timeoutMs: 30_000, leaveAloneMs: 3_600_000 });
  const post = (tenantId: string) =>
    endpoint.post({ ...CALL, accountId: accountOf(tenantId, 'live'), idempotencyKey: `${tenantId}:1` });
  for (let call = 1; call <= 20; call += 1) {
    expect(await post('acme')).toMatchObject({ kind: 'answered', statusCode: 503 });
  }
  expect(await post('acme')).toEqual({ kind: 'left_alone', notSent: true });
  expect(calls).toBe(20);
  expect(await post('globex')).toMatchObject({ kind: 'answered', statusCode: 200 });
});

test('while one call tries whether an endpoint answers again, patient ones wait for it, and the others are left alone at once', async () => {
  let answer = answering(503, '{}');
  let called = 0;
  const url = await listen((request, response) => {
    called += 1;
    answer(request, response);
  });
  const endpoint = endpointAt(url, { timeoutMs: 30_000, leaveAloneMs: 0 });
  const post = () => endpoint.post(CALL);
  for (let call = 1; call <= 20; call += 1) {
    await post();
  }
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    answer = (request, response) => {
      release = () => answering(200, '{}')(request, response);
      resolve();
    };
  });
  const tried = post();
  await held;
  expect(await post()).toEqual({ kind: 'left_alone', notSent: true });
  const patient = [1, 2, 3].map(() => endpoint.post({ ...CALL, isPatient: true }));
  expect(called).toBe(21);
  answer = answering(200, '{}');
  release();
  expect(await tried).toMatchObject({ kind: 'answered', statusCode: 200 });
  for (const exchanged of await Promise.all(patient)) {
    expect(exchanged).toMatchObject({ kind: 'answered', statusCode: 200 });
  }
  expect(called).toBe(24);
  expect(await post()).toMatchObject({ kind: 'answered', statusCode: 200 });
});

test('the time of a call covers the wait for its connection', async () => {
  const silent = await listenRaw({ requested: () => undefined });
  const url = silent.url.replace('http:', 'https:');
  const endpoint = endpointAt(url);
  // undici alone gives a connection 10 s.
  const inTime = AbortSignal.timeout(8_000);
  const endTimes = holdTimes();
  const call = endpoint.post(CALL);
  await until('the connection', () => silent.sockets.size === 1);
  endTimes();
  expect(await call).toEqual({ kind: 'timeout', notSent: true });
  expect(inTime.aborted).toBe(false);
});
