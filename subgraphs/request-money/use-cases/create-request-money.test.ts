import { describe, expect, jest, test } from '@jest/globals';
import { parse, stringify } from 'lossless-json';
import { succeed } from '../../kernel/errors/result.ts';
import { readCreate } from '../commands/read-create-request-money.ts';
import { bodyFor, bodyOf, createOf, newReference, principal, START, useBench } from '../testing.ts';

const bench = useBench();

describe('create', () => {
  test('saves the money request, its event and its deliveries, in the documented order', async () => {
    const referenceId = newReference();
    const created = await bench.create(bodyOf(referenceId));
    expect(created.ok && created.value.moneyRequest).toMatchObject({
      referenceId,
      status: 'pending',
      amount: '1500.5',
      version: 1,
    });
    expect(bench.sent()).toEqual(['operation_created', 'request_money.created']);
    expect(Object.keys(bench.dataOf('operation_created'))).toEqual([
      'partnerId',
      'referenceId',
      'id',
      'userReferenceId',
      'amount',
      'currency',
      'status',
      'statusDetails',
      'waLink',
      'landingLink',
      'requestData',
      'createdAt',
      'updatedAt',
    ]);
    expect(bench.dataOf('operation_created').requestData).toMatchObject({
      bankAccount: { accountNumber: '**************9719' },
    });
    expect(Object.keys(bench.dataOf('request_money.created'))).toEqual([
      'partnerId',
      'referenceId',
      'requestId',
      'status',
      'createdAt',
    ]);
    expect(bench.events).toMatchObject([
      { entity: 'requestMoney', entityId: referenceId, version: 1, previousStatus: null },
    ]);
  });

  test('sends amounts with the digits that came in', async () => {
    await bench.create(bodyOf(newReference()).replace('1500.5', '10.10'));
    expect(String(bench.deliveries[0]?.body)).toContain('"amount":10.10,');
  });

  test.each([
    ['0.09', '18.25'],
    ['0.1', '20'],
    ['999999999999.99', '0.5'],
  ])('an amount of %s at %s, which rounds to nothing or is too much, saves nothing', async (amount, rate) => {
    bench.deps.tenants.fxRate = async () => ({ rate, isStale: false });
    const screen = jest.spyOn(bench.deps.screening, 'screen');
    const referenceId = newReference();
    const body = bodyOf(referenceId).replace('1500.5', amount);
    expect(await bench.create(body)).toMatchObject({
      ok: false,
      failures: [{ code: 'VALIDATION_FAILED', path: ['amount'] }],
    });
    expect(screen).not.toHaveBeenCalled();
    expect(bench.dataOf('operation_error')).toMatchObject({ httpStatus: 422, code: 'VALIDATION_FAILED' });
    expect(await bench.deps.moneyRequests.find('acme/sandbox', referenceId)).toBeUndefined();
  });

  test.each([
    ['0.1', '18.25'],
    ['999999999999.99', '1'],
  ])('an amount of %s at %s has a price', async (amount, rate) => {
    bench.deps.tenants.fxRate = async () => ({ rate, isStale: false });
    const body = bodyOf(newReference()).replace('1500.5', amount);
    expect(await bench.create(body)).toMatchObject({ ok: true, value: { moneyRequest: { amount } } });
  });

  test.each([
    ['10080 minutes by default', {}, 10_080],
    ['a minute at least', { expiresInMinutes: 1 }, 1],
    ['43200 minutes at most', { expiresInMinutes: 43_200 }, 43_200],
  ])('a money request lives %s', async (_name, changes, minutes) => {
    const created = await bench.create(bodyOf(newReference(), changes));
    expect(created).toMatchObject({
      value: { moneyRequest: { expiresAt: new Date(START.getTime() + minutes * 60_000) } },
    });
  });

  test('keeps nothing personal in clear', async () => {
    const referenceId = newReference();
    await bench.create(bodyOf(referenceId), 'key-1');
    const names = (await bench.database.connection.listCollections()).map(({ name }) => name);
    const found = await Promise.all(
      names.map((name) => bench.database.connection.collection(name).find().toArray()),
    );
    const stored = JSON.stringify(found, (_key, value) =>
      value?._bsontype === 'Binary' ? value.buffer.toString('latin1') : value,
    );
    expect(stored).toContain(referenceId);
    for (const personal of ['Ruiz', '032180000118359719']) {
      expect(stored).not.toContain(personal);
    }
  });

  test('saves nothing when any part of the transaction fails', async () => {
    const referenceId = newReference();
    bench.deps.webhooks.enqueue = () => {
      throw new Error('the database is away');
    };
    await expect(bench.create(bodyOf(referenceId), `k-${referenceId}`)).rejects.toThrow(
      'the database is away',
    );
    expect(await bench.deps.moneyRequests.find('acme/sandbox', referenceId)).toBeUndefined();
    bench.deps.webhooks.enqueue = () => [];
    expect(await bench.create(bodyOf(referenceId), `k-${referenceId}`)).toMatchObject({ ok: true });
  });

  test('publishes a failure as two events, with the reference when there is one', async () => {
    expect(await bench.create(bodyOf('bad'))).toMatchObject({
      failures: [{ code: 'VALIDATION_FAILED', path: ['referenceId'] }],
    });
    expect(bench.sent()).toEqual(['operation_error', 'request_money.failed']);
    // No money request can have it: no timeline is to have them.
    expect(bench.deliveries.map(({ about }) => about)).toEqual([undefined, undefined]);
    expect(bench.dataOf('operation_error')).toEqual({
      partnerId: 'acme',
      referenceId: 'bad',
      stage: 'create',
      httpStatus: 422,
      code: 'VALIDATION_FAILED',
      message: 'referenceId must be exactly 8 letters or digits',
    });
    bench.forget();
    await bench.service.create(
      principal,
      readCreate({ body: undefined, unread: 'PAYLOAD_TOO_LARGE', surface: 'rest' }),
    );
    expect(bench.dataOf('operation_error')).toMatchObject({ httpStatus: 413, code: 'PAYLOAD_TOO_LARGE' });
    bench.forget();
    await bench.service.create(principal, readCreate({ body: undefined, surface: 'rest' }));
    expect(Object.keys(bench.dataOf('request_money.failed'))).toEqual(['partnerId', 'code', 'message']);
  });

  test('a partner without the feature gets no event', async () => {
    const nobody = { ...principal, accountId: 'globex/sandbox' as const };
    expect(await bench.service.create(nobody, createOf(bodyOf(newReference())))).toMatchObject({
      failures: [{ code: 'API_FEATURE_NOT_ENABLED' }],
    });
    expect(bench.sent()).toEqual([]);
  });
});

/** A result as a retry gets it. */
const replayOf = (result: Awaited<ReturnType<typeof bench.create>>) =>
  result.ok ? succeed({ ...result.value, isReplay: true }) : result;

describe('idempotency', () => {
  test('the same body replays the first result, whatever became of the money request', async () => {
    const referenceId = newReference();
    const key = `k-${referenceId}`;
    const first = await bench.create(bodyOf(referenceId), key);
    await bench.update(referenceId, { status: 'processing' });
    const again = await bench.create(bodyOf(referenceId), key);
    expect(again).toEqual(replayOf(first));
    expect(stringify(again)).toBe(stringify(replayOf(first)));
    const reordered = JSON.stringify(
      Object.fromEntries(Object.entries(JSON.parse(bodyOf(referenceId))).reverse()),
    );
    expect(await bench.create(reordered, key)).toEqual(replayOf(first));
  });

  test.each<[string, (referenceId: string) => string, string]>([
    ['another amount', (referenceId) => bodyOf(referenceId, { amount: 2 }), 'LEGACY_REFERENCE_EXISTS'],
    [
      'an ignored property more',
      (referenceId) => bodyOf(referenceId, { extra: 1 }),
      'LEGACY_REFERENCE_EXISTS',
    ],
    ['another reference', () => bodyOf(newReference()), 'IDEMPOTENCY_KEY_REUSED'],
  ])('%s is another body', async (_name, other, code) => {
    const referenceId = newReference();
    await bench.create(bodyOf(referenceId), `k-${referenceId}`);
    expect(await bench.create(other(referenceId), `k-${referenceId}`)).toMatchObject({
      failures: [{ code }],
    });
  });

  test('the same create by REST and by GraphQL is one', async () => {
    const referenceId = newReference();
    const first = await bench.create(bodyOf(referenceId, { extra: 'rest only' }), `k-${referenceId}`);
    const viaGraphQL = readCreate({
      body: parse(bodyOf(referenceId)),
      idempotencyKey: `k-${referenceId}`,
      surface: 'graphql',
    });
    expect(await bench.service.create(principal, viaGraphQL)).toEqual(replayOf(first));
  });

  test('100 at once are one money request, with the key and without', async () => {
    const [withKey, without] = [newReference(), newReference()];
    const same = await Promise.all(
      Array.from({ length: 100 }, () => bench.create(bodyOf(withKey), `k-${withKey}`)),
    );
    expect(new Set(same.map((result) => stringify(replayOf(result)))).size).toBe(1);
    expect(same.filter((result) => result.ok && !result.value.isReplay)).toHaveLength(1);
    const rivals = await Promise.all(Array.from({ length: 100 }, () => bench.create(bodyOf(without))));
    expect(rivals.filter(({ ok }) => ok)).toHaveLength(1);
    expect(
      rivals.filter((result) => !result.ok && result.failures[0]?.code === 'LEGACY_REFERENCE_EXISTS'),
    ).toHaveLength(99);
  }, 240_000); // Hundreds of calls: a slow store takes its time.

  test('of one user at once: one whose reference is taken, and a retry, do not stop the others', async () => {
    const first = newReference();
    const before = await bench.create(bodyOf(first), `k-${first}`);
    const others = () => Array.from({ length: 3 }, () => bench.create(bodyFor(`u-${first}`)));
    const [retried, taken, ...created] = await Promise.all([
      ...[bench.create(bodyOf(first), `k-${first}`), bench.create(bodyOf(first))],
      ...others(),
      ...others(),
    ]);
    expect(retried).toEqual(replayOf(before));
    expect(taken).toMatchObject({ ok: false, failures: [{ code: 'LEGACY_REFERENCE_EXISTS' }] });
    const references = created.map((result) => result.ok && result.value.moneyRequest.referenceId);
    expect(new Set(references).size).toBe(6);
    expect(references).not.toContain(false);
    const stored = bench.database.connection.collection('moneyRequests');
    expect(await stored.countDocuments({ userReferenceId: `u-${first}` })).toBe(7);
  });

  test('a key of 256 characters is an issue beside the others', async () => {
    const failed = await bench.create(bodyOf('bad'), 'k'.repeat(256));
    expect(failed).toMatchObject({ failures: [{ path: ['referenceId'] }, { path: ['Idempotency-Key'] }] });
  });
});

describe('of a blocked user', () => {
  const failed = { ok: false, failures: [{ code: 'USER_BLOCKED' }] };
  const userReferenceId = (referenceId: string) => `u-${referenceId}`;
  /** A user of a saved money request, blocked since. */
  async function blockedUser(): Promise<{ user: string; replay: () => ReturnType<typeof bench.create> }> {
    const referenceId = newReference();
    const create = () => bench.create(bodyOf(referenceId), `key-${referenceId}`);
    await create();
    const user = userReferenceId(referenceId);
    await bench.block(user);
    bench.forget();
    return { user, replay: create };
  }

  test('fails, with both events of a failure', async () => {
    const { user } = await blockedUser();
    const referenceId = newReference();
    expect(await bench.create(bodyFor(user, referenceId))).toMatchObject(failed);
    expect(bench.sent()).toEqual(['operation_error', 'request_money.failed']);
    expect(bench.dataOf('operation_error')).toMatchObject({
      referenceId,
      stage: 'create',
      httpStatus: 403,
      code: 'USER_BLOCKED',
    });
    expect(await bench.deps.moneyRequests.exists('acme/sandbox', referenceId)).toBe(false);
  });

  test('fails for each of several at once, which would share a transaction, and stores none of them', async () => {
    const { user } = await blockedUser();
    const references = Array.from({ length: 4 }, newReference);
    const results = await Promise.all(references.map((one) => bench.create(bodyFor(user, one))));
    expect(results).toMatchObject(references.map(() => failed));
    expect(bench.sent()).toEqual(references.flatMap(() => ['operation_error', 'request_money.failed']));
    const stored = bench.database.connection.collection('moneyRequests');
    expect(await stored.countDocuments({ referenceId: { $in: references } })).toBe(0);
  });

  test('comes after idempotency: a create from before the block is answered again', async () => {
    const { user, replay } = await blockedUser();
    expect(await replay()).toMatchObject({ ok: true, value: { moneyRequest: { userReferenceId: user } } });
  });

  test('comes before the corridor', async () => {
    const { user } = await blockedUser();
    const nowhere = { address: { country: 'ZZ' } };
    expect(await bench.create(bodyFor(user, newReference(), nowhere))).toMatchObject(failed);
  });

  test('a user who is blocked during the screening fails in the transaction', async () => {
    const first = newReference();
    await bench.create(bodyOf(first));
    const user = userReferenceId(first);
    bench.deps.screening.screen = async () => {
      await bench.block(user);
      return succeed('clear');
    };
    bench.forget();
    const referenceId = newReference();
    expect(await bench.create(bodyFor(user, referenceId))).toMatchObject(failed);
    expect(bench.sent()).toEqual(['operation_error', 'request_money.failed']);
    expect(await bench.deps.moneyRequests.exists('acme/sandbox', referenceId)).toBe(false);
  });

  test('a user who is blocked while the money request is being saved, after the check of the user: nothing is saved', async () => {
    const first = newReference();
    await bench.create(bodyOf(first));
    const { transaction } = bench.deps;
    let isBlocked = false;
    bench.deps.transaction = (work, turn) =>
      transaction(async (unit) => {
        const value = await work(unit);
        if (!isBlocked) {
          isBlocked = true;
          await bench.block(userReferenceId(first));
        }
        return value;
      }, turn);
    bench.forget();
    const referenceId = newReference();
    expect(await bench.create(bodyFor(userReferenceId(first), referenceId))).toMatchObject(failed);
    expect(isBlocked).toBe(true);
    expect(await bench.deps.moneyRequests.exists('acme/sandbox', referenceId)).toBe(false);
    expect(bench.sent()).toEqual(['operation_error', 'request_money.failed']);
  });
});
