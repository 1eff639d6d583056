import { describe, expect, test } from '@jest/globals';
import type { AccountId } from '../../kernel/account.ts';
import { fail, succeed } from '../../kernel/errors/result.ts';
import type { Tenant, WebhookChange } from '../../partners/tenants/service.ts';
import { DEFAULT_EVENTS } from '../../webhook-events/catalogue.ts';
import { newWebhookSecret } from '../../webhooks/endpoint-rules.ts';
import { toWebhookConfig, updateWebhookConfig, type WebhookConfigInput } from './update-webhook-config.ts';

const KEY = { name: 'X-Key', value: 'k3y' };
const FURTHER = 'https://further.test/hook';

async function update(input: WebhookConfigInput) {
  const changes: WebhookChange[] = [];
  const changeWebhooks = async (accountId: AccountId, change: WebhookChange) => {
    if (change.url === FURTHER) {
      return fail('WEBHOOK_ENDPOINT_EXISTS');
    }
    changes.push(change);
    return succeed({ accountId, webhookEvents: [] as string[] } as Tenant);
  };
  const deps = { tenants: { changeWebhooks }, endpoints: { move: () => undefined } };
  const result = await updateWebhookConfig(deps, 'acme/sandbox', input);
  return {
    changes,
    made: result.ok ? result.value.madeSecret : null,
    paths: result.ok ? [] : result.failures.map(({ code, path }) => [code, path?.[0]]),
  };
}

describe('an update of the webhook configuration', () => {
  test.each<[string, WebhookConfigInput, WebhookChange]>([
    ['nothing', {}, {}],
    ['a URL', { webhookUrl: 'https://acme.test/hook?x=1' }, { url: 'https://acme.test/hook?x=1' }],
    [
      'a URL, to its one form',
      { webhookUrl: ' HTTPS://Acme.test:443/a/../hook#x' },
      { url: 'https://acme.test/hook' },
    ],
    ['no URL', { webhookUrl: null }, { url: null }],
    [
      'events, each once',
      { webhookEvents: ['operation_error', 'operation_error'] },
      { events: ['operation_error'] },
    ],
    ['no events', { webhookEvents: [] }, { events: [] }],
    ['the usual events', { webhookEvents: null }, { events: [...DEFAULT_EVENTS] }],
    ['the version of events', { webhookEventVersion: 1 }, { eventVersion: 1 }],
    ['no version of events', { webhookEventVersion: null }, {}],
    ['a secret', { webhookSecret: '12345678' }, { secret: '12345678' }],
    ['the order', { webhookOrdering: 'PER_ENTITY' }, { ordering: 'PER_ENTITY' }],
    ['back to no order', { webhookOrdering: null }, { ordering: 'NONE' }],
    ['the scheme', { webhookSignatureScheme: 'STANDARD_WEBHOOKS' }, { signatureScheme: 'STANDARD_WEBHOOKS' }],
    ['back to the documented scheme', { webhookSignatureScheme: null }, { signatureScheme: 'DOCUMENTED' }],
    ['headers', { webhookHeaders: [KEY] }, { headers: [KEY] }],
    ['to no headers', { webhookHeaders: null }, { headers: [] }],
    ['a long secret', { webhookSecret: 'ñ'.repeat(256) }, { secret: 'ñ'.repeat(256) }],
  ])('changes %s', async (_what, input, change) => {
    expect(await update(input)).toEqual({ changes: [change], made: null, paths: [] });
  });

  test.each<[string, WebhookConfigInput, string[]]>([
    ['HTTP', { webhookUrl: 'http://acme.test/hook' }, ['webhookUrl']],
    ['credentials', { webhookUrl: 'https://user:secret@acme.test/' }, ['webhookUrl']],
    ['an empty URL', { webhookUrl: '' }, ['webhookUrl']],
    ['no URL at all', { webhookUrl: 'acme.test' }, ['webhookUrl']],
    ['a URL that is too long', { webhookUrl: `https://acme.test/${'x'.repeat(2048)}` }, ['webhookUrl']],
    ['an unknown event', { webhookEvents: ['operation_created', 'operation.*'] }, ['webhookEvents']],
    ['a version that is not supported', { webhookEventVersion: 2 }, ['webhookEventVersion']],
    ['a short secret', { webhookSecret: '1234567' }, ['webhookSecret']],
    ['an empty secret', { webhookSecret: '' }, ['webhookSecret']],
    ['a secret that is too long', { webhookSecret: 'x'.repeat(257) }, ['webhookSecret']],
    ['a secret with a space at its end', { webhookSecret: 'whsec_acme_0001 ' }, ['webhookSecret']],
    ['a header of the product', { webhookHeaders: [{ ...KEY, name: 'Signature' }] }, ['webhookHeaders']],
    ['several issues', { webhookUrl: 'ftp://x', webhookEvents: [''] }, ['webhookUrl', 'webhookEvents']],
  ])('rejects %s', async (_what, input, paths) => {
    expect(await update(input)).toEqual({
      changes: [],
      made: null,
      paths: paths.map((path) => ['INVALID_REQUEST', path]),
    });
  });

  test('rejects the URL of a further endpoint, however it is spelled', async () => {
    expect(await update({ webhookUrl: 'https://Further.test/hook#' })).toMatchObject({
      changes: [],
      paths: [['WEBHOOK_ENDPOINT_EXISTS', undefined]],
    });
  });
});

test('null for a secret makes one, which is given this once', async () => {
  const { changes, made } = await update({ webhookSecret: null });
  expect(made).toMatch(/^whsec_[\w-]{32}$/);
  expect(changes).toEqual([{ secret: made }]);
  expect((await update({ webhookSecret: null })).made).not.toBe(made);
});

test('a secret is shown by its first six characters and its last two', () => {
  const secret = newWebhookSecret();
  expect(secret).toMatch(/^whsec_[\w-]{32}$/);
  expect(newWebhookSecret()).not.toBe(secret);
  const tenant = {
    webhookUrl: '',
    webhookSecret: 'whsec_acme_0001',
    webhookEvents: ['a'] as string[],
    webhookEventVersion: 1,
  } as Tenant;
  expect(toWebhookConfig(tenant)).toEqual({
    webhookUrl: null,
    webhookSecretPreview: 'whsec_…01',
    hasWebhookSecret: true,
    webhookEvents: ['a'],
    webhookEventVersion: 1,
    webhookOrdering: 'NONE',
    webhookSignatureScheme: 'DOCUMENTED',
    webhookHeaderNames: [],
  });
  const webhookHeaders = [{ name: 'X-Key', value: 'k3y' }];
  expect(
    toWebhookConfig({ ...tenant, webhookHeaders, webhookSignatureScheme: 'STANDARD_WEBHOOKS' }),
  ).toMatchObject({ webhookSignatureScheme: 'STANDARD_WEBHOOKS', webhookHeaderNames: ['X-Key'] });
  expect(toWebhookConfig({ ...tenant, webhookOrdering: 'PER_ENTITY' })).toMatchObject({
    webhookOrdering: 'PER_ENTITY',
  });
  expect(toWebhookConfig({ ...tenant, webhookSecret: 'whsec_01' })).toMatchObject({
    webhookSecretPreview: '…',
  });
  expect(toWebhookConfig({ webhookEvents: [] as string[] } as Tenant)).toMatchObject({
    webhookSecretPreview: null,
    hasWebhookSecret: false,
  });
});
