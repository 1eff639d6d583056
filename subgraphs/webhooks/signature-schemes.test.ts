import { createPublicKey, verify } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createVerifier, httpbis } from 'http-message-signatures';
import { Webhook } from 'standardwebhooks';
import type { AccountId } from '../kernel/account.ts';
import { createBox } from '../kernel/crypto/box.ts';
import { makeIndexes } from '../kernel/database/indexes.ts';
import { createTransactions } from '../kernel/database/transaction.ts';
import type { Result } from '../kernel/errors/result.ts';
import { createTenantModels, type TenantModels } from '../partners/tenants/model.ts';
import { createTenants, type TenantInput, type Tenants } from '../partners/tenants/service.ts';
import type { SignatureScheme } from '../partners/tenants/signature-scheme.ts';
import type { EndpointView } from './endpoint-view.ts';
import { createPartnerEndpoints, type PartnerEndpoints } from './partner-endpoints.ts';
import { toDeliveries } from './publisher.ts';
import type { ReceivedRequest, Receiver } from './testing.ts';
import { openTestBench, type TestBench, type TestEngine } from './testing-engine.ts';
import { verifyWebhook } from './verifiers/verify-webhook.ts';

const GIVEN_SECRET = 'whsec_given_by_us';
const KEY = { name: 'X-Key', value: 'Bearer t0ken' };

describe('the signature scheme of an endpoint', () => {
  let bench: TestBench;
  let models: TenantModels;
  let engine: TestEngine;
  let tenants: Tenants;
  let endpoints: PartnerEndpoints;
  let receiver: Receiver;
  let accountId: AccountId;
  let number = 0;
  const box = createBox(Buffer.alloc(32, 7));
  beforeAll(async () => {
    bench = await openTestBench();
    models = createTenantModels(bench.store.connection);
    await makeIndexes(bench.store.connection);
  });
  beforeEach(async () => {
    const transaction = createTransactions(bench.store.connection);
    tenants = createTenants({ models, box, transaction });
    engine = bench.start({ maxAttempts: 1, retrySeconds: [0] }, { tenants });
    endpoints = createPartnerEndpoints({ ...engine, tenants, clock: () => new Date() });
    receiver = await bench.receive();
    number += 1;
    accountId = `tenant${number}/sandbox`;
    await tenants.upsert(input());
  });
  afterEach(() => bench.reset());
  afterAll(() => bench.close());

  const input = (change: Partial<TenantInput> = {}): TenantInput =>
    ({
      ...{ accountId, name: 'Some', fee: { fixed: '0', percent: '0' } },
      ...{ countries: [], dialCodes: [], features: [], flows: [], mtlsClientCertSha256: [] },
      ...{
        webhookUrl: receiver.url('/hook'),
        webhookSecret: GIVEN_SECRET,
        webhookEvents: ['operation_created'],
      },
      ...change,
    }) as TenantInput;
  const unwrap = <T>(result: Result<T> | undefined): T => {
    if (!result?.ok) {
      throw new Error(result?.failures[0]?.message ?? 'There is no such tenant');
    }
    return result.value;
  };
  const issueOf = (result: Result<unknown> | undefined) =>
    result?.ok === false ? [result.failures[0]?.code, result.failures[0]?.path] : 'ok';
  /** Changes of both kinds of endpoints by one call. */
  interface Changed {
    readonly id: string;
    set(change: {
      url?: string;
      signatureScheme?: SignatureScheme;
      headers?: readonly { name: string; value: string }[];
    }): Promise<Result<unknown> | undefined>;
  }
  const FIELD = { first: 'webhookSignatureScheme', further: 'signatureScheme' } as const;
  async function begin(which: 'first' | 'further'): Promise<Changed> {
    if (which === 'first') {
      return { id: 'first', set: (change) => tenants.changeWebhooks(accountId, change) };
    }
    await tenants.changeWebhooks(accountId, { url: null });
    const made = await endpoints.create(accountId, { url: receiver.url('/hook'), secret: GIVEN_SECRET });
    const { id } = unwrap(made).endpoint;
    return { id, set: (change) => endpoints.update(accountId, id, change) };
  }
  const view = async ({ id }: Changed): Promise<EndpointView> => unwrap(await endpoints.find(accountId, id));
  const store = async () => {
    const tenant = await tenants.find(accountId);
    const event = { event: 'operation_created', data: { referenceId: 'ABC-1' } };
    const [id = ''] = await bench.enqueue(engine, ...toDeliveries(tenant!, [event], new Date()));
    return id;
  };
  const receive = async (id: string): Promise<ReceivedRequest> => {
    const before = receiver.requests.length;
    await engine.run();
    expect(await bench.find(engine, id, accountId)).toMatchObject({ status: 'DELIVERED' });
    return receiver.requests[before]!;
  };
  const standard = ({ headers, body }: ReceivedRequest, secret: string) =>
    new Webhook(secret).verify(body, headers as Record<string, string>);
  const isMessageSigned = ({ headers, path }: ReceivedRequest, keys: EndpointView['publicKeys']) =>
    httpbis.verifyMessage(
      {
        keyLookup: async ({ keyid }) => {
          const found = keys.find(({ id }) => id === keyid);
          return found ? { id: found.id, verify: createVerifier(toKey(found.bytes), 'ed25519') } : null;
        },
        requiredFields: ['@method', '@target-uri', 'content-digest'],
      },
      { method: 'POST', url: receiver.url(path), headers: headers as Record<string, string> },
    );
  const toKey = (bytes: Buffer) =>
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' });

  describe.each(['first', 'further'] as const)('that is the %s one', (which) => {
    test('is documented by default, and needs a secret of the standard for Standard Webhooks', async () => {
      const endpoint = await begin(which);
      expect(await view(endpoint)).toMatchObject({ signatureScheme: 'DOCUMENTED', headerNames: [] });
      const refused = ['INVALID_REQUEST', [FIELD[which]]];
      expect(issueOf(await endpoint.set({ signatureScheme: 'STANDARD_WEBHOOKS' }))).toEqual(refused);
      expect(await view(endpoint)).toMatchObject({ signatureScheme: 'DOCUMENTED' });
      verifyWebhook({ scheme: 'request_money', ...(await receive(await store())), secrets: GIVEN_SECRET });
      unwrap(await endpoints.rotateSecret(accountId, { endpointId: endpoint.id }));
      unwrap(await endpoint.set({ signatureScheme: 'STANDARD_WEBHOOKS' }));
      expect(await view(endpoint)).toMatchObject({ signatureScheme: 'STANDARD_WEBHOOKS' });
      unwrap(await endpoint.set({ signatureScheme: 'DOCUMENTED' }));
      expect(await view(endpoint)).toMatchObject({ signatureScheme: 'DOCUMENTED' });
    });

    test('of Standard Webhooks signs with both secrets while they overlap, and with Ed25519', async () => {
      const endpoint = await begin(which);
      const overlap = { endpointId: endpoint.id, overlapHours: 1 };
      const before = unwrap(await endpoints.rotateSecret(accountId, { endpointId: endpoint.id })).secret;
      const after = unwrap(await endpoints.rotateSecret(accountId, overlap)).secret;
      unwrap(await endpoint.set({ signatureScheme: 'STANDARD_WEBHOOKS' }));
      const id = await store();
      const request = await receive(id);
      for (const secret of [after, before]) {
        expect(standard(request, secret)).toMatchObject({ event: 'operation_created' });
      }
      expect(request.headers).toMatchObject({ 'webhook-id': id, 'x-webhook-delivery-id': id });
      expect(request.headers).not.toHaveProperty('x-webhook-signature');
      const { publicKeys } = await view(endpoint);
      expect(publicKeys.map(({ until }) => until)).toEqual([null, expect.any(Date)]);
      const signatures = String(request.headers['webhook-signature']).split(' ');
      const asymmetric = signatures.flatMap((one) => (one.startsWith('v1a,') ? one.slice(4) : []));
      const signed = `${id}.${request.headers['webhook-timestamp']}.${request.body}`;
      expect(
        publicKeys.map(({ bytes }, index) =>
          verify(null, Buffer.from(signed), toKey(bytes), Buffer.from(asymmetric[index] ?? '', 'base64')),
        ),
      ).toEqual([true, true]);
    });

    test('of HTTP message signatures signs with any secret, and with both keys while they overlap', async () => {
      const endpoint = await begin(which);
      unwrap(await endpoint.set({ signatureScheme: 'HTTP_MESSAGE_SIGNATURES' }));
      const [former] = (await view(endpoint)).publicKeys;
      unwrap(await endpoints.rotateSecret(accountId, { endpointId: endpoint.id, overlapHours: 1 }));
      const keys = (await view(endpoint)).publicKeys;
      expect(keys.map(({ id }) => id)).toEqual([expect.not.stringMatching(former!.id), former!.id]);
      const request = await receive(await store());
      for (const key of keys) {
        expect(await isMessageSigned(request, [key])).toBe(true);
      }
      expect(await isMessageSigned(request, [])).not.toBe(true);
    });

    test('stays as it is for webhooks that are stored, until they are sent to the current URL', async () => {
      const endpoint = await begin(which);
      const secret = unwrap(await endpoints.rotateSecret(accountId, { endpointId: endpoint.id })).secret;
      const id = await store();
      unwrap(await endpoint.set({ signatureScheme: 'STANDARD_WEBHOOKS', headers: [KEY] }));
      const stored = await receive(id);
      verifyWebhook({ scheme: 'request_money', ...stored, secrets: secret });
      expect(stored.headers).not.toHaveProperty('x-key');
      unwrap(await engine.deliveries.replay(accountId, id));
      verifyWebhook({ scheme: 'request_money', ...(await receive(id)), secrets: secret });
      unwrap(await engine.deliveries.replay(accountId, id, 'current'));
      const current = await receive(id);
      expect(standard(current, secret)).toMatchObject({ event: 'operation_created' });
      expect(current.headers).toMatchObject({ 'x-key': KEY.value });
      unwrap(await endpoint.set({ signatureScheme: 'DOCUMENTED', headers: [] }));
      unwrap(await engine.deliveries.replay(accountId, id));
      expect((await receive(id)).headers).toMatchObject({ 'webhook-id': id, 'x-key': KEY.value });
      unwrap(await engine.deliveries.replay(accountId, id, 'current'));
      const last = await receive(id);
      verifyWebhook({ scheme: 'request_money', ...last, secrets: secret });
      expect(last.headers).not.toHaveProperty('x-key');
    });

    test('leaves the own headers, which a URL on another server loses: they can hold credentials', async () => {
      const endpoint = await begin(which);
      unwrap(await endpoint.set({ headers: [KEY] }));
      const names = async () => (await view(endpoint)).headerNames;
      expect(await names()).toEqual(['X-Key']);
      unwrap(await endpoint.set({ url: receiver.url('/other') }));
      expect(await names()).toEqual(['X-Key']);
      const request = await receive(await store());
      expect([request.path, request.headers['x-key']]).toEqual(['/other', KEY.value]);
      unwrap(await endpoint.set({ url: 'https://thief.test/' }));
      expect(await names()).toEqual([]);
      unwrap(await endpoint.set({ url: receiver.url('/hook'), headers: [KEY] }));
      expect(await names()).toEqual(['X-Key']);
      const documents = JSON.stringify([
        await models.tenants.findById(accountId).lean(),
        await models.endpoints.find({ accountId }).lean(),
        await bench.models.deliveries.find({ accountId }).lean(),
      ]);
      expect(documents).not.toContain('t0ken');
      expect(documents).not.toContain(Buffer.from('t0ken').toString('base64').slice(0, 6));
    });
  });

  test('is kept by a seed, as are the own headers, unless it sets a URL on another server', async () => {
    const set = { signatureScheme: 'HTTP_MESSAGE_SIGNATURES', headers: [KEY] } as const;
    unwrap(await tenants.changeWebhooks(accountId, set));
    const seeded = await tenants.seed(input({ name: 'Other', webhookUrl: receiver.url('/seeded') }));
    expect(seeded).toMatchObject({
      ...{ name: 'Other', webhookUrl: receiver.url('/seeded') },
      ...{ webhookSignatureScheme: 'HTTP_MESSAGE_SIGNATURES', webhookHeaders: [KEY] },
    });
    const moved = await tenants.seed(input({ webhookUrl: 'https://elsewhere.test/' }));
    expect(moved).toMatchObject({ webhookSignatureScheme: 'HTTP_MESSAGE_SIGNATURES' });
    expect(moved).not.toHaveProperty('webhookHeaders');
  });

  test('is not left with a secret that it cannot sign with, whichever of two changes at once is first', async () => {
    unwrap(await endpoints.rotateSecret(accountId, {}));
    const results = await Promise.all([
      tenants.changeWebhooks(accountId, { signatureScheme: 'STANDARD_WEBHOOKS' }),
      tenants.changeWebhooks(accountId, { secret: GIVEN_SECRET }),
    ]);
    expect(results.map(issueOf).toSorted()).toEqual([['INVALID_REQUEST', ['webhookSignatureScheme']], 'ok']);
  });

  test('of a standard needs a secret', async () => {
    const { webhookSecret: _, ...unsigned } = input();
    accountId = `tenant${number}/live`;
    await tenants.upsert({ ...unsigned, accountId });
    const change = { signatureScheme: 'HTTP_MESSAGE_SIGNATURES' } as const;
    const refused = ['INVALID_REQUEST', ['webhookSignatureScheme']];
    expect(issueOf(await tenants.changeWebhooks(accountId, change))).toEqual(refused);
    expect((await endpoints.list(accountId))[0]?.publicKeys).toEqual([]);
  });

  test('can be given with a new endpoint, whose secret must suit it', async () => {
    const url = 'https://new.test/';
    const signatureScheme = 'STANDARD_WEBHOOKS';
    expect(
      issueOf(await endpoints.create(accountId, { url, signatureScheme, secret: GIVEN_SECRET })),
    ).toEqual(['INVALID_REQUEST', ['signatureScheme']]);
    const made = unwrap(await endpoints.create(accountId, { url, signatureScheme, headers: [KEY] }));
    expect(made.endpoint).toMatchObject({ signatureScheme, headerNames: ['X-Key'] });
    expect(made.madeSecret).toMatch(/^whsec_[A-Za-z0-9]{32}$/);
  });
});
