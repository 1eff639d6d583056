import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Exchange, injectInto } from '../support/http.ts';
import { queryGraph } from '../support/money-requests.ts';
import { headerOf, type ReceivedWebhook, type Receiver } from '../support/receiver.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { writeSnippets } from '../support/snippets.ts';
import { buildTestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';
import { changeDelivery, SEND_TEST, showDelivery } from '../support/webhook-graph.ts';

// The examples of the documentation verify what a partner's endpoints receive.

const snippets = writeSnippets('gateway/docs/webhooks.md', {});
const scene = useScene();
let exchange: Exchange;
let receiver: Receiver;
beforeAll(async () => {
  const deployment = await scene.deploy();
  const { app, close } = await buildTestApp(deployment.env);
  scene.atEnd(close);
  exchange = injectInto(app);
  receiver = deployment.receiver;
});
afterAll(() => snippets.remove());

const CREATE = `mutation ($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) {
    webhookEndpoint { id url signatureScheme publicKeys { id publicKey until } headerNames }
    webhookSecret
    userErrors { code path }
  }
}`;

interface Created {
  readonly createWebhookEndpoint: {
    readonly webhookEndpoint: {
      readonly id: string;
      readonly url: string;
      readonly publicKeys: readonly { readonly id: string; readonly publicKey: string }[];
    } | null;
    readonly webhookSecret: string | null;
    readonly userErrors: readonly { readonly code: string; readonly path: readonly string[] }[];
  };
}

async function create(path: string, input: object): Promise<Created['createWebhookEndpoint']> {
  const variables = { input: { url: `${receiver.url}${path}`, ...input } };
  const { data, errors } = await queryGraph<Created>(exchange, CREATE, variables, KEYS.acme);
  expect(errors).toBeUndefined();
  return data!.createWebhookEndpoint;
}

/** A test webhook as it arrives at the endpoint. */
async function receiveTest(endpointId: string | undefined, path: string): Promise<ReceivedWebhook> {
  const sent = await changeDelivery(exchange, SEND_TEST, { endpointId }, KEYS.acme);
  expect(sent).toMatchObject({ userErrors: [] });
  const find = () => receiver.webhooks.find((webhook) => webhook.path === path);
  await until('the test webhook', () => find() !== undefined);
  return find()!;
}

const headersOf = ({ rawHeaders }: ReceivedWebhook) =>
  Object.fromEntries(rawHeaders.map(([name, value]) => [name.toLowerCase(), value]));

async function keysOf(path: string): Promise<readonly { readonly kid: string }[]> {
  const { status, text } = await exchange({ method: 'GET', path: `/.well-known/webhook-keys/${path}` });
  expect(status).toBe(200);
  return JSON.parse(text).keys;
}

test('a webhook in the scheme of Standard Webhooks is read by the documented lines, with headers of the partner', async () => {
  const headers = [{ name: 'X-Gateway-Key', value: 'k3y of the gateway' }];
  const made = await create('/standard', { signatureScheme: 'STANDARD_WEBHOOKS', headers });
  expect(made).toMatchObject({
    webhookEndpoint: { signatureScheme: 'STANDARD_WEBHOOKS', headerNames: ['X-Gateway-Key'] },
    userErrors: [],
  });
  const webhook = await receiveTest(made.webhookEndpoint?.id, '/standard');
  const { readWebhook } = await snippets.load<{
    readWebhook(headers: object, body: string, secret: string): unknown;
  }>('js standard');
  const secret = String(made.webhookSecret);
  expect(readWebhook(headersOf(webhook), webhook.text, secret)).toMatchObject({ event: 'test' });
  expect(() => readWebhook(headersOf(webhook), `${webhook.text} `, secret)).toThrow();
  expect(headerOf(webhook, 'X-Gateway-Key')).toBe('k3y of the gateway');
  const shown = await showDelivery(exchange, String(headerOf(webhook, 'webhook-id')), KEYS.acme);
  const text = JSON.stringify(shown);
  expect(text).toContain('"X-Gateway-Key: ****"');
  expect(text).toContain('"webhook-signature: v1,**** v1a,****"');
  expect(text).not.toContain('k3y of');
});

test('a webhook in the scheme of HTTP message signatures is authentic by the documented lines and the key set', async () => {
  const made = await create('/messages', { signatureScheme: 'HTTP_MESSAGE_SIGNATURES' });
  const webhook = await receiveTest(made.webhookEndpoint?.id, '/messages');
  const { isAuthentic } = await snippets.load<{ isAuthentic(of: object): Promise<boolean> }>('js messages');
  const keys = await keysOf('acme/sandbox');
  expect(keys.map(({ kid }) => kid)).toContain(made.webhookEndpoint?.publicKeys[0]?.id);
  const received = { url: made.webhookEndpoint?.url, headers: headersOf(webhook), body: webhook.body, keys };
  expect(await isAuthentic(received)).toBe(true);
  expect(await isAuthentic({ ...received, body: Buffer.from('{}') })).toBe(false);
  expect(await isAuthentic({ ...received, url: `${receiver.url}/other` })).toBe(false);
  // Neither the other environment of the partner nor another partner has the key.
  for (const path of ['acme/live', 'globex/sandbox', 'unknown/sandbox']) {
    expect(await isAuthentic({ ...received, keys: await keysOf(path) })).toBe(false);
  }
});

test('a scheme or headers that cannot work are rejected with the field', async () => {
  const refused = [
    [{ signatureScheme: 'STANDARD_WEBHOOKS', secret: 'a secret of our own' }, 'signatureScheme'],
    [{ headers: [{ name: 'Signature', value: 'x' }] }, 'headers'],
    [{ headers: [{ name: 'X-A', value: 'x\r\nHost: y' }] }, 'headers'],
  ] as const;
  for (const [input, field] of refused) {
    const { userErrors } = await create('/refused', input);
    expect(userErrors).toEqual([{ code: 'INVALID_REQUEST', path: [field] }]);
  }
});
