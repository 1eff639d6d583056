/** @only-in-full */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Connection, mongo } from 'mongoose';
import { SEALED_FIELDS } from '../../gateway/cli/admin/sealed-fields.ts';
import { createKeyring } from '../../subgraphs/kernel/crypto/keyring.ts';
import { canonicalJson } from '../../subgraphs/kernel/json/canonical.ts';
import { isCardNumber } from '../../subgraphs/kernel/person/card.ts';
import { type Exchange, injectInto } from '../support/http.ts';
import {
  createMoneyRequest,
  lookUp,
  moneyRequestBody,
  newReference,
  queryGraph,
  updateStatus,
} from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { buildTestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const ENCRYPTION_KEY = randomBytes(32).toString('hex');
const keyring = createKeyring([Buffer.from(ENCRYPTION_KEY, 'hex')]);
const scene = useScene();
let exchange: Exchange;
let store: Connection;
beforeAll(async () => {
  const { env } = await scene.deploy();
  const target = await buildTestApp({ ...env, ENCRYPTION_KEY });
  scene.atEnd(target.close);
  exchange = injectInto(target.app);
  store = target.connection;
});

/** The number of a card that no other test has. */
function newCard(): string {
  for (;;) {
    const number = `45${String(randomInt(10 ** 13)).padStart(13, '0')}${randomInt(10)}`;
    if (isCardNumber(number)) {
      return number;
    }
  }
}

/** Where the store has any of the texts: the collection for one in clear, collection and field for one that is sealed. */
async function findIn(texts: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  const look = (where: string, bytes: Buffer) => {
    const forms = texts.flatMap((text) => [
      text,
      text.replaceAll(/(.{4})(?=.)/g, '$1 '),
      Buffer.from(text).toString('base64').slice(0, -4),
    ]);
    if (forms.some((form) => bytes.includes(form))) {
      found.add(where);
    }
  };
  for (const { name } of await store.listCollections()) {
    for (const document of await store.collection(name).find().toArray()) {
      look(name, Buffer.from(mongo.BSON.serialize(document)));
      for (const { field, purpose, context } of SEALED_FIELDS.filter(
        ({ collection }) => collection === name,
      )) {
        const value: unknown = document[field];
        if (value instanceof mongo.Binary) {
          look(`${name}.${field}`, keyring.box(purpose).open(value.buffer, context(document)));
        }
      }
    }
  }
  return [...found].toSorted();
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A body with a payout to the card. */
const bodyFor = (referenceId: string, card: string) => ({
  ...moneyRequestBody(referenceId),
  requestData: {
    userReferenceId: `u-${referenceId}`,
    name: { firstName: 'Ana', lastName: 'Ruiz' },
    address: { country: 'MX' },
    payoutMethod: 'card',
    card: { number: card.replaceAll(/(.{4})(?=.)/g, '$1 '), nameOnCard: 'ANA RUIZ', expirationDate: '1239' },
  },
});

const CREATE = `mutation ($input: CreateRequestMoneyInput!, $key: String) {
  createRequestMoney(input: $input, idempotencyKey: $key) {
    requestMoney { referenceId status waLink fundRequestLink createdAt } warnings { code } userErrors { code }
  }
}`;

/** The same money request twice: the answer as text, but for GraphQL's costs. */
const CREATES: Readonly<Record<string, (body: ReturnType<typeof bodyFor>) => Promise<string>>> = {
  REST: async (body) => {
    const answer = await createMoneyRequest(exchange, body, { idempotencyKey: `k-${body.referenceId}` });
    return `${answer.status} ${answer.text}`;
  },
  GraphQL: async (body) => {
    const input = {
      ...body,
      amount: String(body.amount),
      requestData: { ...body.requestData, payoutMethod: 'CARD' },
    };
    return JSON.stringify(await queryGraph(exchange, CREATE, { input, key: `k-${body.referenceId}` }));
  },
};

const runJob = (name: string) =>
  store.collection('agendaJobs').updateOne({ name }, { $set: { nextRunAt: new Date() } });
const isEnded = (referenceId: string, status: string) => async () =>
  (await store.collection('moneyRequests').countDocuments({ referenceId, status })) === 1;

const move = async (referenceId: string, ...statuses: string[]) => {
  for (const status of statuses) {
    expect((await updateStatus(exchange, { referenceId, status })).status).toBe(200);
  }
};

const ENDS: Readonly<Record<string, (referenceId: string) => Promise<void>>> = {
  completed: (referenceId) => move(referenceId, 'completed'),
  'paid and completed': (referenceId) => move(referenceId, 'processing', 'completed'),
  rejected: (referenceId) => move(referenceId, 'rejected'),
  'paid and rejected': (referenceId) => move(referenceId, 'processing', 'rejected'),
  cancelled: (referenceId) => move(referenceId, 'cancelled'),
  expired: async (referenceId) => {
    await store.collection('moneyRequests').updateOne({ referenceId }, { $set: { expiresAt: new Date() } });
    await runJob('requestMoney.expire');
    await until('the expiry', isEnded(referenceId, 'cancelled'));
  },
};

/** The card in the sealed part of a money request. */
async function cardOf(referenceId: string) {
  const document = await store.collection('moneyRequests').findOne({ referenceId });
  const box = keyring.box('fields');
  const opened = box.open(document?.private.buffer, `acme/sandbox|private|${document?._id}`).toString();
  return JSON.parse(opened).requestData.card;
}

describe.each(Object.keys(CREATES))('The card of a money request by %s', (surface) => {
  const create = (body: ReturnType<typeof bodyFor>) => CREATES[surface]?.(body);

  test.each(Object.keys(ENDS))('is sealed there alone, and gone once that is %s', async (end) => {
    const [referenceId, card] = [newReference(), newCard()];
    const body = bodyFor(referenceId, card);
    const created = await create(body);
    expect(created).toContain(referenceId);
    expect(await findIn([card])).toEqual(['moneyRequests.private']);
    expect(await cardOf(referenceId)).toEqual({
      number: card,
      nameOnCard: 'ANA RUIZ',
      expirationDate: '1239',
    });

    await ENDS[end]?.(referenceId);
    expect(await findIn([card])).toEqual([]);
    const token = expect.stringMatching(new RegExp(`^tok_[0-9a-f]{16}_${card.slice(-4)}$`));
    expect(await cardOf(referenceId)).toEqual({ number: token, nameOnCard: 'ANA RUIZ' });
    expect(await create(body)).toBe(created);
    expect((await lookUp(exchange, referenceId)).status).toBe(200);
  });
});

describe('The card of a money request', () => {
  test('cannot be found out by trying: no digest is of the body alone', async () => {
    const [referenceId, card] = [newReference(), newCard()];
    const body = bodyFor(referenceId, card);
    await createMoneyRequest(exchange, body, { idempotencyKey: `k-${referenceId}` });
    const command = {
      ...body,
      amount: '1500.5',
      expiresInMinutes: 10_080,
      requestData: { ...body.requestData, card: { ...body.requestData.card, number: card } },
    };
    const plain = [card, JSON.stringify(body), canonicalJson(body), canonicalJson(command)].flatMap(
      (text) => [sha256(text), Buffer.from(sha256(text), 'hex').toString('base64url')],
    );
    expect(await findIn(plain)).toEqual([]);
  });

  test('is nowhere when the create fails', async () => {
    const card = newCard();
    const good = bodyFor(newReference(), card);
    for (const body of [
      { ...good, amount: -1 },
      { ...good, requestData: { ...good.requestData, address: { country: 'DE' } } },
      { ...good, requestData: { ...good.requestData, name: { firstName: 'Ana', lastName: 'OFACHIT' } } },
      { ...good, requestData: { ...good.requestData, card: { number: `${card}x` } } },
      { ...good, requestData: { ...good.requestData, card: { number: `${card}${card}` } } },
    ]) {
      expect(
        (await createMoneyRequest(exchange, body, { idempotencyKey: 'rejected' })).status,
      ).toBeGreaterThan(400);
    }
    expect(await findIn([card])).toEqual([]);
  });
});

describe('The card of an atomic call, and of a payment method', () => {
  const callFor = (card: string, correlationId: string, lastName: string, phoneNumber: string) => ({
    requester: {
      phoneNumber,
      firstName: 'Ana',
      lastName,
      dob: '1990-01-31',
      address1: 'Reforma 1',
      countryCode: 'MX',
      city: 'CDMX',
      state: 'MX-CMX',
    },
    request: {
      recipientCurrency: 'MXN',
      recipientAmount: 1500.5,
      correlationId,
      destinationPaymentMethod: methodFor(card),
      requestTo: { phoneNumber: '+13055550100', firstName: 'Bob', lastName: 'Roe', countryCode: 'US' },
    },
  });
  const methodFor = (number: string) => ({
    type: 'DebitCard',
    number,
    nameOnCard: 'Ana Ruiz',
    expirationDate: '1239',
    country: 'MX',
    currency: 'MXN',
  });
  const post = (path: string, body: object) =>
    exchange({
      method: 'POST',
      path,
      headers: { 'Content-Type': 'application/json', api_key: KEYS.acme },
      body: JSON.stringify(body),
    });

  test.each([
    ['SUCCEEDED', 'Ruiz', '+525512340001'],
    ['FAILED', 'CIPFAIL', '+525512340002'],
  ])('is gone once the call has %s', async (status, lastName, phone) => {
    const card = newCard();
    const call = callFor(card, `card-${status}`, lastName, phone);
    const accepted = await post('/v1/user/operations/request-money-full', call);
    expect(accepted.status).toBe(200);
    await until('its end', async () => {
      const ended = { correlationId: `card-${status}`, status };
      return (await store.collection('remittances').countDocuments(ended)) === 1;
    });
    expect(await findIn([card, sha256(card)])).toEqual([]);
    const { userId } = JSON.parse(accepted.text) as { userId: string };

    const others = [newCard(), newCard(), '4000000000000002'];
    const added = await post(`/v1/user/payment-methods/card/${userId}`, methodFor(others[0] ?? ''));
    expect(added.status).toBe(200);
    expect((await post(`/v1/user/payment-methods/card/${userId}`, methodFor(others[2] ?? ''))).status).toBe(
      400,
    );
    const answer = await post(`/v1/user/operations/request-money-v2/${userId}`, {
      requestTo: '+13055550100',
      correlationId: `v2-${status}`,
      recipientAmount: 10,
      recipientCurrency: 'MXN',
      destinationPaymentMethod: methodFor(others[1] ?? ''),
    });
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('tok_')]);
    expect(await findIn([...others, ...others.map(sha256)])).toEqual([]);
  });
});
