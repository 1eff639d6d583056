import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ACME, FIRST_URL, type OperationalBench, openOperationalBench } from './testing.ts';

const MINUTE_MS = 60_000;
const URL_OF_OPERATIONS = 'https://ops.acme.test/events';

let own: OperationalBench;
beforeAll(async () => {
  own = await openOperationalBench();
});
afterEach(() => own.reset());
afterAll(() => own.bench.close());

const add = (receivers: object = { url: URL_OF_OPERATIONS }) => own.add(ACME, receivers);
const later = (minutes: number) => {
  own.ahead += minutes * MINUTE_MS;
};

describe('a failing endpoint', () => {
  test('is reported once, and its recovery once; then it can be reported again', async () => {
    add();
    await own.setBreaker(ACME, FIRST_URL, true);
    await own.run();
    await own.run();
    expect(await own.sent()).toEqual(['endpoint.failing']);
    await own.setBreaker(ACME, FIRST_URL, false);
    later(1);
    await own.run();
    await own.run();
    expect(await own.sent()).toEqual(['endpoint.failing', 'endpoint.recovered']);
    await own.setBreaker(ACME, FIRST_URL, true);
    later(1);
    await own.run();
    expect(await own.sent()).toEqual(['endpoint.failing', 'endpoint.recovered', 'endpoint.failing']);
  });

  test('is reported once by two processes at once', async () => {
    add();
    await own.setBreaker(ACME, FIRST_URL, true);
    await Promise.all([own.run(), own.run(), own.run()]);
    expect(await own.sent()).toEqual(['endpoint.failing']);
    await own.setBreaker(ACME, FIRST_URL, false);
    later(1);
    await Promise.all([own.run(), own.run(), own.run()]);
    expect(await own.sent()).toEqual(['endpoint.failing', 'endpoint.recovered']);
  });

  test('has not recovered when it was replaced by another URL', async () => {
    add();
    await own.setBreaker(ACME, FIRST_URL, true);
    await own.run();
    own.add(ACME, { url: URL_OF_OPERATIONS }, { webhookUrl: 'https://new.acme.test/' });
    later(1);
    await own.run();
    expect(await own.sent()).toEqual(['endpoint.failing']);
  });

  test('is not the URL for operational events itself', async () => {
    add();
    await own.setBreaker(ACME, URL_OF_OPERATIONS, true);
    await own.run();
    expect(await own.sent()).toEqual([]);
  });

  test('is reported to its own partner and environment alone', async () => {
    add();
    own.add('acme/live', { url: URL_OF_OPERATIONS });
    own.add('other/sandbox', { url: URL_OF_OPERATIONS });
    await own.setBreaker(ACME, FIRST_URL, true);
    await own.run();
    expect(await Promise.all([own.sent(), own.sent('acme/live'), own.sent('other/sandbox')])).toEqual([
      ['endpoint.failing'],
      [],
      [],
    ]);
  });
});

describe('dead-lettered webhooks', () => {
  const bodies = () =>
    own.engine.deliveries
      .list(ACME, { event: 'delivery.dead_lettered', direction: 'asc' }, { first: 10 })
      .then(({ nodes }) => nodes.map(({ body }) => JSON.parse(body.toString()).data.deliveries));

  test('are one event, each counted once, at most every 15 minutes', async () => {
    add();
    await own.deadLetter(ACME, 3);
    later(1);
    await own.run();
    await own.deadLetter(ACME, 4);
    later(14);
    await own.run();
    expect(await bodies()).toEqual([3]);
    later(2);
    await own.run();
    later(16);
    await own.run();
    expect(await bodies()).toEqual([3, 4]);
  });

  test('are counted too when they are stored later than newer ones', async () => {
    add();
    await own.deadLetter(ACME, 1);
    later(1);
    await own.deadLetter(ACME, 1);
    await own.run();
    later(-0.25);
    await own.deadLetter(ACME, 1);
    later(16);
    await own.run();
    const counts = await bodies();
    expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(3);
  });

  test('are counted up to 1,000', async () => {
    add();
    await own.deadLetter(ACME, 1_100);
    later(1);
    await own.run();
    later(16);
    await own.run();
    expect(await bodies()).toEqual([1_000]);
  });

  test('that report operational events are not reported', async () => {
    add();
    await own.deadLetter(ACME, 1, 'operational');
    later(1);
    await own.run();
    expect(await bodies()).toEqual([]);
  });
});

test('a key is reported once when it ends within a day, and not before', async () => {
  add();
  const endsAt = new Date(Date.now() + 25 * 60 * MINUTE_MS);
  own.keys.set(ACME, [
    { keyId: 'key_1', endsAt, lastUsedAt: null },
    { keyId: 'key_2', endsAt: null, lastUsedAt: null },
  ]);
  await own.run();
  expect(await own.sent()).toEqual([]);
  later(61);
  await own.run();
  later(25 * 60);
  await own.run();
  expect(await own.sent()).toEqual(['key.expiring']);
});

test('stuck remittances are reported again only after none was stuck for 15 minutes', async () => {
  add();
  const stuck = { stuck: 2, stuckSince: new Date() };
  for (const [minutes, found] of [
    [0, stuck],
    [1, undefined],
    [10, stuck],
    [1, undefined],
    [16, undefined],
    [1, stuck],
  ] as const) {
    later(minutes);
    own.stuck.clear();
    if (found) {
      own.stuck.set(ACME, found);
    }
    await own.run();
  }
  expect(await own.sent()).toEqual(['remittance.stuck', 'remittance.stuck']);
});

test('calls are reported from 80 % of a limit, of a key and of all keys', async () => {
  add();
  own.keys.set(ACME, [{ keyId: 'key_1', endsAt: null, lastUsedAt: new Date() }]);
  own.calls.set('graphql|key_1', 79);
  own.calls.set(`graphql-all-keys|${ACME}`, 799);
  await own.run();
  expect(await own.sent()).toEqual([]);
  own.calls.set('graphql|key_1', 80);
  own.calls.set(`graphql-all-keys|${ACME}`, 800);
  await own.run();
  await own.run();
  expect(await own.sent()).toEqual(['quota.near', 'quota.near']);
});

test('the webhooks are signed and arrive at the URL; a partner without receivers gets none', async () => {
  const receiver = await own.bench.receive();
  own.add(ACME, { url: receiver.url('/ops') });
  own.add('other/sandbox', {});
  for (const accountId of [ACME, 'other/sandbox'] as const) {
    await own.setBreaker(accountId, FIRST_URL, true);
  }
  await own.run();
  await own.engine.run();
  const [request, ...others] = receiver.to('/ops');
  expect(others).toEqual([]);
  expect(request?.headers).toMatchObject({
    'x-webhook-event': 'endpoint.failing',
    'x-webhook-signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
  });
  expect(await own.sent('other/sandbox')).toEqual([]);
});

test('a webhook to a URL that was removed is dead-lettered, not sent', async () => {
  const receiver = await own.bench.receive();
  own.add(ACME, { url: receiver.url('/ops') });
  await own.setBreaker(ACME, FIRST_URL, true);
  await own.run();
  add({});
  await own.engine.run();
  expect(receiver.to('/ops')).toEqual([]);
  const [stored] = await own.bench.models.deliveries.find({ accountId: ACME }).lean();
  expect(stored).toMatchObject({ status: 'DEAD_LETTERED', lastError: 'endpoint_deleted' });
});

test('a partner whose conditions cannot be read does not stop the others, and the run fails', async () => {
  add();
  own.add('other/sandbox', { url: URL_OF_OPERATIONS });
  await own.setBreaker('other/sandbox', FIRST_URL, true);
  own.unreadable = ACME;
  await expect(own.run()).rejects.toThrow('store away');
  expect(await own.sent('other/sandbox')).toEqual(['endpoint.failing']);
});

test('stuck remittances that cannot be counted stop no other event, and the run fails', async () => {
  add();
  await own.setBreaker(ACME, FIRST_URL, true);
  own.isUncountable = true;
  await expect(own.run()).rejects.toThrow('count away');
  expect(await own.sent()).toEqual(['endpoint.failing']);
});

test('a partner with addresses alone is reported to when the deployment has mail, not before', async () => {
  add({ emails: ['ops@acme.test'] });
  await own.setBreaker(ACME, FIRST_URL, true);
  own.hasMail = false;
  const before = own.start();
  await before.detect(new AbortController().signal);
  expect(before.counts().raised).toEqual({});
  own.hasMail = true;
  await own.run();
  expect(await own.models.notices.distinct('event')).toEqual(['endpoint.failing']);
});
