import { describe, expect, test } from '@jest/globals';
import type { AccountId } from '../kernel/account.ts';
import type { Result } from '../kernel/errors/result.ts';
import type { Tenants } from '../partners/tenants/service.ts';
import type { PartnerEndpoints } from './partner-endpoints.ts';
import { toDeliveries } from './publisher.ts';
import { unwrap, useEndpointsBench } from './testing-endpoints.ts';
import { times } from './testing-engine.ts';

const HOUR_MS = 3_600_000;
const EVENT = { event: 'operation_created', data: {} };

describe('endpoints of a partner', () => {
  const stage = useEndpointsBench();
  let accountId: AccountId;
  const codeOf = (result: Result<unknown>) => (result.ok ? 'ok' : result.failures[0]?.code);
  const sent = async (from: Tenants = stage.tenants) => {
    const tenant = await from.find(accountId);
    return tenant ? toDeliveries(tenant, [EVENT], stage.now) : [];
  };

  test('are the documented pair first, then further ones, in force at once', async () => {
    accountId = await stage.newTenant();
    await stage.tenants.find(accountId);
    const made = unwrap(await stage.endpoints.create(accountId, { url: 'https://more.test/' }));
    expect(made.madeSecret).toMatch(/^whsec_[\w-]{32}$/);
    const given = await stage.endpoints.create(accountId, {
      url: 'https://some.test/',
      secret: '12345678',
      events: ['operation_error', 'operation_error'],
    });
    expect(unwrap(given)).toMatchObject({ madeSecret: null, endpoint: { events: ['operation_error'] } });
    expect((await stage.endpoints.list(accountId)).map(({ id, url, events }) => [id, url, events])).toEqual([
      ['first', 'https://first.test/', ['operation_created']],
      [made.endpoint.id, 'https://more.test/', null],
      [unwrap(given).endpoint.id, 'https://some.test/', ['operation_error']],
    ]);
    expect((await sent()).map(({ url, secret }) => [url, secret])).toEqual([
      ['https://first.test/', 'whsec_first_01'],
      ['https://more.test/', made.madeSecret],
    ]);
    // Other writes of the tenant keep them.
    await stage.tenants.changeWebhooks(accountId, { url: null });
    expect((await sent()).map(({ url }) => url)).toEqual(['https://more.test/']);
    const listed = (await stage.tenants.list()).find((tenant) => tenant.accountId === accountId);
    expect(listed?.webhookEndpoints).toHaveLength(2);
  });

  test('are ten at most, however many are made at once, and no two have the same URL', async () => {
    accountId = await stage.newTenant();
    const made = await Promise.all(
      times(13, (index) =>
        (index % 2 === 0 ? stage.endpoints : stage.elsewhere).create(accountId, {
          url: `https://h.test/${index}`,
        }),
      ),
    );
    expect(made.map(codeOf).filter((code) => code === 'ok')).toHaveLength(10);
    expect(made.map(codeOf).filter((code) => code === 'WEBHOOK_ENDPOINT_LIMIT')).toHaveLength(3);
    expect(await stage.endpoints.list(accountId)).toHaveLength(11);
    const [, second, third] = await stage.endpoints.list(accountId);
    expect(unwrap(await stage.endpoints.remove(accountId, second?.id ?? '')).url).toBe(second?.url);
    const url = third?.url ?? '';
    expect(codeOf(await stage.endpoints.create(accountId, { url }))).toBe('WEBHOOK_ENDPOINT_EXISTS');
    expect(codeOf(await stage.endpoints.create(accountId, { url: 'https://first.test/' }))).toBe(
      'WEBHOOK_ENDPOINT_EXISTS',
    );
    expect(codeOf(await stage.endpoints.create(accountId, { url: ' HTTPS://First.test:443#x\n' }))).toBe(
      'WEBHOOK_ENDPOINT_EXISTS',
    );
    const fourth = (await stage.endpoints.list(accountId)).find(
      (one) => one.id !== 'first' && one.url !== url,
    );
    for (const taken of [url, `${url}#fragment`, 'https://first.test', 'HTTPS://FIRST.test/']) {
      const updated = await stage.endpoints.update(accountId, fourth?.id ?? '', { url: taken });
      expect(codeOf(updated)).toBe('WEBHOOK_ENDPOINT_EXISTS');
    }
  });

  const URL = 'https://same.test/';
  type Way = (by: PartnerEndpoints, store: Tenants, id: string) => Promise<Result<unknown> | undefined>;
  const creating: Way = (by) => by.create(accountId, { url: URL });
  const changing: Way = (by, _store, id) => by.update(accountId, id, { url: URL });
  const configuring: Way = (_by, store) => store.changeWebhooks(accountId, { url: URL });
  test.each<[string, Way, Way]>([
    ['two creations', creating, creating],
    ['two changes', changing, changing],
    ['a creation and a change', creating, changing],
    ['a creation and a change of the first', creating, configuring],
    ['a change and a change of the first', changing, configuring],
  ])('%s at once, of two processes, do not give two stage.endpoints one URL', async (_what, one, other) => {
    accountId = await stage.newTenant();
    const [first, second] = await Promise.all(
      ['https://one.test/', 'https://two.test/'].map(async (url) =>
        unwrap(await stage.endpoints.create(accountId, { url })),
      ),
    );
    const results = await Promise.all([
      one(stage.endpoints, stage.tenants, first?.endpoint.id ?? ''),
      other(stage.elsewhere, stage.others, second?.endpoint.id ?? ''),
    ]);
    expect(results.map((result) => result && codeOf(result)).sort()).toEqual([
      'WEBHOOK_ENDPOINT_EXISTS',
      'ok',
    ]);
    expect((await stage.endpoints.list(accountId)).filter(({ url }) => url === URL)).toHaveLength(1);
  });

  test.each<[string, object, string]>([
    ['HTTP', { url: 'http://h.test/' }, 'url'],
    ['credentials', { url: 'https://user:secret@h.test/' }, 'url'],
    ['a secret with NUL', { url: 'https://h.test/', secret: 'whsec_\u0000_long' }, 'secret'],
    ['a secret with half a character', { url: 'https://h.test/', secret: 'whsec_\ud800_long' }, 'secret'],
    ['a short secret', { url: 'https://h.test/', secret: '1234567' }, 'secret'],
    ['an unknown event', { url: 'https://h.test/', events: ['operation.*'] }, 'events'],
  ])('fail for %s', async (_what, input, path) => {
    accountId = await stage.newTenant();
    expect(await stage.endpoints.create(accountId, { url: '', ...input })).toMatchObject({
      ok: false,
      failures: [{ code: 'INVALID_REQUEST', path: [path] }],
    });
    expect(await stage.endpoints.list(accountId)).toHaveLength(1);
  });

  test("another tenant's are neither seen nor changed", async () => {
    accountId = await stage.newTenant();
    const victim = accountId;
    const made = unwrap(await stage.endpoints.create(victim, { url: 'https://mine.test/' }));
    const { id } = made.endpoint;
    accountId = await stage.newTenant();
    const calls = [
      stage.endpoints.find(accountId, id),
      stage.endpoints.receiver(accountId, id),
      stage.endpoints.update(accountId, id, { url: 'https://thief.test/' }),
      stage.endpoints.rotateSecret(accountId, { endpointId: id }),
      stage.endpoints.remove(accountId, id),
    ];
    expect((await Promise.all(calls)).map(codeOf)).toEqual(times(5, () => 'WEBHOOK_ENDPOINT_NOT_FOUND'));
    expect(unwrap(await stage.endpoints.receiver(victim, id))).toEqual({
      endpointId: id,
      ...{ url: 'https://mine.test/', eventVersion: 1 },
      secret: made.madeSecret,
    });
    // The same URL is another endpoint to another tenant.
    const same = unwrap(await stage.endpoints.create(accountId, { url: 'https://mine.test/' }));
    expect(same.endpoint.endpoint).not.toBe(made.endpoint.endpoint);
  });

  test('the first one is changed as documented, and not here', async () => {
    accountId = await stage.newTenant();
    expect(codeOf(await stage.endpoints.update(accountId, 'first', { events: null }))).toBe(
      'INVALID_REQUEST',
    );
    expect(codeOf(await stage.endpoints.remove(accountId, 'first'))).toBe('INVALID_REQUEST');
    await stage.tenants.changeWebhooks(accountId, { url: null });
    expect(codeOf(await stage.endpoints.receiver(accountId, 'first'))).toBe('WEBHOOK_ENDPOINT_NOT_FOUND');
  });

  describe.each(['first', 'further'])('the secret of a %s one', (which) => {
    /** Its id, and the secrets that sign what is stored stage.now. */
    const begin = async () => {
      accountId = await stage.newTenant();
      const made = unwrap(await stage.endpoints.create(accountId, { url: 'https://more.test/' }));
      const endpointId = which === 'first' ? 'first' : made.endpoint.id;
      const signing = async (from?: Tenants) => {
        const delivery = (await sent(from))[which === 'first' ? 0 : 1];
        return [delivery?.secret, ...(delivery?.formerSecrets ?? []).map(({ secret }) => secret)];
      };
      return { endpointId, signing };
    };

    test('is replaced at once, or signs on for as long as was asked', async () => {
      const { endpointId, signing } = await begin();
      const [before] = await signing();
      const second = unwrap(await stage.endpoints.rotateSecret(accountId, { endpointId, overlapHours: 24 }));
      expect(second.formerUntil).toEqual(new Date(stage.now.getTime() + 24 * HOUR_MS));
      expect(await signing()).toEqual([second.secret, before]);
      const third = unwrap(await stage.endpoints.rotateSecret(accountId, { endpointId, overlapHours: 1 }));
      expect(await signing()).toEqual([third.secret, second.secret, before]);
      expect(unwrap(await stage.endpoints.find(accountId, endpointId)).formerSecretsUntil).toHaveLength(2);
      const last = unwrap(await stage.endpoints.rotateSecret(accountId, { endpointId }));
      expect(last.formerUntil).toBeNull();
      expect(await signing()).toEqual([last.secret]);
    });

    test('replaced twice at once, loses neither, and four sign on at most', async () => {
      const { endpointId, signing } = await begin();
      const overlap = { endpointId, overlapHours: 168 };
      const both = await Promise.all([
        stage.endpoints.rotateSecret(accountId, overlap),
        stage.elsewhere.rotateSecret(accountId, overlap),
      ]);
      const made = both.map((one) => unwrap(one).secret);
      await stage.tenants.changeWebhooks(accountId, {});
      expect((await signing()).slice(0, 2).toSorted()).toEqual(made.toSorted());
      expect(await signing()).toHaveLength(3);
      unwrap(await stage.endpoints.rotateSecret(accountId, overlap));
      unwrap(await stage.endpoints.rotateSecret(accountId, overlap));
      expect(codeOf(await stage.endpoints.rotateSecret(accountId, overlap))).toBe('WEBHOOK_SECRETS_LIMIT');
      expect(await signing()).toHaveLength(5);
    });

    test.each([-1, 169, Number.NaN])('signs on for 0 to 168 hours, not %d', async (overlapHours) => {
      const { endpointId, signing } = await begin();
      const before = await signing();
      expect(await stage.endpoints.rotateSecret(accountId, { endpointId, overlapHours })).toMatchObject({
        failures: [{ code: 'INVALID_REQUEST', path: ['overlapHours'] }],
      });
      expect(await signing()).toEqual(before);
    });
  });

  test('a secret that the documented calls set is the only one that signs', async () => {
    accountId = await stage.newTenant();
    unwrap(await stage.endpoints.rotateSecret(accountId, { overlapHours: 24 }));
    await stage.tenants.changeWebhooks(accountId, { secret: 'whsec_given_1' });
    const [delivery] = await sent();
    expect(delivery).toMatchObject({ secret: 'whsec_given_1' });
    expect(delivery).not.toHaveProperty('formerSecrets');
  });
});
