import { beforeAll, describe, expect, test } from '@jest/globals';
import { isRecord } from '../../../subgraphs/kernel/objects.ts';
import { maskCardNumbers } from '../../../subgraphs/kernel/person/mask-numbers.ts';
import { startReceiver } from '../../../subgraphs/webhooks/testing.ts';
import { IS_FULL } from '../../../test/support/depth.ts';
import { injectInto } from '../../../test/support/http.ts';
import {
  cancelMoneyRequest,
  createMoneyRequest,
  moneyRequestBody,
  newReference,
} from '../../../test/support/money-requests.ts';
import { useScene } from '../../../test/support/scene.ts';
import { KEYS } from '../../../test/support/seed.ts';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { until } from '../../../test/support/until.ts';
import { connectClient, restore, type TestClient } from './testing.ts';
import { INJECTIONS } from './testing-injections.ts';

// The tools on the product: each text that tries to steer an agent is a name and a reason, where the product takes it, and the answer of a
// receiver.

const scene = useScene();
/** A key with the scope that the documentation recommends, and that of administration. */
const KEY = KEYS.acmeHalf;
const TEXTS = INJECTIONS.filter((_text, place) => IS_FULL || place % 7 === 0);
const REFERENCES = TEXTS.map(() => newReference());
/** The places of texts that the product took. */
const accepted = { names: new Set<number>(), reasons: new Set<number>() };
let target: TestApp;
let tools: TestClient;

beforeAll(async () => {
  const { env } = await scene.deploy();
  target = await buildTestApp(env);
  scene.atEnd(target.close);
  const receiver = await startReceiver(await scene.certificate(), {
    '/agents': ({ body }, response) => {
      const place = REFERENCES.findIndex((reference) => body.includes(reference));
      response.writeHead(200).end(TEXTS[place]);
    },
  });
  scene.atEnd(receiver.close);
  const { createdAt: _, updatedAt: __, ...acme } = (await target.subgraphs.tenants.find('acme/sandbox'))!;
  await target.subgraphs.tenants.upsert({ ...acme, webhookUrl: receiver.url('/agents') });
  for (const [place, text] of TEXTS.entries()) {
    await makePayment(place, text);
  }
  tools = await connect(KEY);
  await until('all webhooks are delivered', async () => {
    const { data } = await tools.call('totals', { of: 'webhooks' });
    return Array.isArray(data.totals) && data.totals.every(({ count }) => count === 0);
  });
}, 120_000);

async function makePayment(place: number, text: string): Promise<void> {
  const exchange = injectInto(target.app);
  const referenceId = String(REFERENCES[place]);
  const { requestData } = moneyRequestBody(referenceId);
  const named = (firstName: string) =>
    moneyRequestBody(referenceId, {
      requestData: {
        ...requestData,
        userReferenceId: `agent-${place}`,
        name: { firstName, lastName: 'Ruiz' },
      },
    });
  if ((await createMoneyRequest(exchange, named(text))).status === 201) {
    accepted.names.add(place);
  } else {
    expect((await createMoneyRequest(exchange, named('Ana'))).status).toBe(201);
  }
  if ((await cancelMoneyRequest(exchange, referenceId, { reason: text })).status === 200) {
    accepted.reasons.add(place);
  }
}

/** A client of the tools whose calls reach the product of this test. */
async function connect(key: string, withAnswers = true): Promise<TestClient> {
  const send: typeof fetch = async (_url, init) => {
    const headers = Object.fromEntries(new Headers(init?.headers));
    const { statusCode, payload } = await target.app.inject({
      method: 'POST',
      url: '/graphql',
      headers,
      payload: String(init?.body),
    });
    return new Response(payload, { status: statusCode });
  };
  const made = await connectClient(send, { key, withAnswers });
  scene.atEnd(made.close);
  return made;
}

/** The texts of others in fields of this name. */
function markedIn(value: unknown, field: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) => markedIn(item, field));
  }
  return isRecord(value)
    ? Object.entries(value).flatMap(([name, item]) =>
        name === field && isRecord(item) && typeof item.untrusted === 'string'
          ? [restore(item.untrusted)]
          : markedIn(item, field),
      )
    : [];
}

describe('On the product, a text that tries to steer an agent', () => {
  test('comes back marked as the name of a user', async () => {
    expect(accepted.names.size).toBeGreaterThan(TEXTS.length / 2);
    for (const place of accepted.names) {
      const { data } = await tools.call('find', { text: `agent-${place}` });
      expect(markedIn(data, 'firstName')).toEqual([TEXTS[place]]);
    }
  });

  test('comes back marked as the reason of a cancelled payment', async () => {
    expect(accepted.reasons.size).toBeGreaterThan(TEXTS.length / 2);
    for (const place of accepted.reasons) {
      const stored = maskCardNumbers(String(TEXTS[place]));
      const payment = { kind: 'RequestMoney', id: REFERENCES[place] };
      const { data } = await tools.call('verdict', payment);
      expect(markedIn(data.payment, 'statusDetails')).toEqual([stored]);
      const { data: timeline } = await tools.call('timeline', payment);
      expect(markedIn(timeline.entries, 'statusDetails')).toContain(stored);
    }
  });

  test("comes back marked as a receiver's answer", async () => {
    for (const [place, text] of TEXTS.entries()) {
      const { data } = await tools.call('timeline', { kind: 'RequestMoney', id: REFERENCES[place] });
      const entries: unknown[] = Array.isArray(data.entries) ? data.entries : [];
      const webhook = entries.filter(isRecord).find(({ deliveryId }) => deliveryId !== undefined);
      const answer = await tools.call('timeline', { kind: 'WebhookDelivery', id: webhook?.deliveryId });
      // The receiver sends UTF-8, which has no lone surrogates.
      const sent = Buffer.from(text).toString().slice(0, 1_000);
      expect(markedIn(answer.data.entries, 'answer')).toContain(sent);
    }
  });
});

describe('On the product, the tools', () => {
  test('show nothing of another partner or another environment', async () => {
    const [id] = REFERENCES;
    for (const key of [KEYS.globex, KEYS.acmeLive]) {
      const others = await connect(key);
      expect((await others.call('find', { text: id })).data.matches).toEqual([]);
      expect((await others.call('verdict', { kind: 'RequestMoney', id })).data.payment).toBeNull();
      expect((await others.call('timeline', { kind: 'RequestMoney', id })).data.entries).toBeNull();
    }
  });

  test('fail with the code of the server for a key that may not read', async () => {
    for (const [key, errorCode] of [
      [KEYS.acmeBare, 'FORBIDDEN'],
      ['raas_sandbox_nobody', 'UNAUTHENTICATED'],
    ] as const) {
      const refused = await connect(key);
      expect(await refused.call('find', { text: 'Ana' })).toMatchObject({
        isError: true,
        data: { error: { errorCode } },
      });
    }
  });

  test('count, find payments by their references, and leave account numbers and answers out', async () => {
    const masked = await connect(KEY, false);
    const { data } = await masked.call('totals', { of: 'money_requests', from: '2020-01-01T00:00:00Z' });
    const totals = Array.isArray(data.totals) ? data.totals : [];
    expect(totals.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(TEXTS.length);
    expect((await masked.call('totals', { of: 'operations' })).data.totals).toEqual([]);
    expect((await masked.call('totals', { of: 'remittances' })).isError).toBe(false);
    const [id] = REFERENCES;
    const found = await masked.call('find', { text: id });
    expect(found.data.matches).toMatchObject([
      { __typename: 'RequestMoney', referenceId: { untrusted: id } },
    ]);
    const verdict = await masked.call('verdict', { kind: 'RequestMoney', id, language: 'ES' });
    expect(verdict.data.verdict).toMatchObject({ cause: 'CANCELLED' });
    expect(found.raw + verdict.raw).not.toMatch(/0321|3597/);
  });
});
