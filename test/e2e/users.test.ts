import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { type Exchange, injectInto } from '../support/http.ts';
import { createMoneyRequest, moneyRequestBody, newReference, queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { buildTestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const BLOCK = `mutation ($input: BlockUserInput!) {
  blockUser(input: $input) { user { id blocked blockedReason } userErrors { code } }
}`;
const UNBLOCK = `mutation ($input: UnblockUserInput!) {
  unblockUser(input: $input) { user { id blocked } userErrors { code } }
}`;
const LINK = `mutation ($input: CreateLinkInput!) {
  createLink(input: $input) { link { id user { id } } userErrors { code } }
}`;
const ACCEPT = `mutation ($input: RequestMoneyFullInput!) {
  requestMoneyFull(input: $input) { remittance { correlationId user { id } } userErrors { code } }
}`;
const REMITTANCE = `query ($id: ID!) {
  remittance(correlationId: $id) { status lastError { code } operation { id } user { cipStatus } }
}`;

interface Payload {
  readonly userErrors: readonly { code: string }[];
}
interface Answers {
  readonly blockUser: Payload & { user: { blocked: boolean; blockedReason: string | null } | null };
  readonly createLink: Payload & { link: { id: string; user: { id: string } } | null };
  readonly requestMoneyFull: Payload & { remittance: { correlationId: string; user: { id: string } } | null };
  readonly remittance: {
    status: string;
    lastError: { code: string } | null;
    operation: { id: string } | null;
    user: { cipStatus: string };
  };
}

const scene = useScene();
let exchange: Exchange;
let connection: Connection;
beforeAll(async () => {
  const { env } = await scene.deploy();
  const app = await buildTestApp(env);
  scene.atEnd(app.close);
  exchange = injectInto(app.app);
  ({ connection } = app);
});

async function send<Field extends keyof Answers>(
  field: Field,
  query: string,
  variables: Record<string, unknown>,
): Promise<Answers[Field]> {
  const { data, errors } = await queryGraph<Answers>(exchange, query, variables);
  expect(errors).toBeUndefined();
  return data?.[field] as Answers[Field];
}

const block = (userId: string, reason?: string) => send('blockUser', BLOCK, { input: { userId, reason } });
const unblock = (userId: string) => queryGraph(exchange, UNBLOCK, { input: { userId } });
const createLink = (referenceId: string) =>
  send('createLink', LINK, { input: { flow: 'TRANSFER', referenceId } });
const codesOf = ({ userErrors }: Payload) => userErrors.map(({ code }) => code);

let numbers = 0;
/** One that nobody is registered with. */
const newPhone = () => {
  numbers += 1;
  return `+5255${12_500_000 + numbers}`;
};
const accept = (correlationId: string, phoneNumber: string, lastName = 'Ruiz') =>
  send('requestMoneyFull', ACCEPT, {
    input: {
      requester: {
        phoneNumber,
        firstName: 'Ana',
        lastName,
        address1: 'Reforma 1',
        countryCode: 'MX',
        city: 'CDMX',
        state: 'MX-CMX',
      },
      request: {
        correlationId,
        recipientCurrency: 'MXN',
        recipientAmount: '1825',
        destinationPaymentMethod: {
          type: 'UBN',
          number: '032180000118359719',
          country: 'MX',
          currency: 'MXN',
        },
        requestTo: { phoneNumber: '+13125550188', firstName: 'Bob', lastName: 'Roe', countryCode: 'US' },
      },
    },
  });

/** The outcome of an accepted call. */
async function outcomeOf(correlationId: string): Promise<Answers['remittance']> {
  let remittance: Answers['remittance'] | undefined;
  await until(`the end of ${correlationId}`, async () => {
    remittance = await send('remittance', REMITTANCE, { id: correlationId });
    return remittance.status !== 'IN_PROGRESS';
  });
  return remittance as Answers['remittance'];
}

/** Asks for money by v2, as a registered user does. */
const requestV2 = (userId: string, correlationId: string) =>
  exchange({
    method: 'POST',
    path: `/v1/user/operations/request-money-v2/${userId}`,
    headers: { 'Content-Type': 'application/json', api_key: KEYS.acme },
    body: JSON.stringify({
      requestTo: '+13125550188',
      correlationId,
      recipientAmount: 1825,
      recipientCurrency: 'MXN',
      destinationPaymentMethod: {
        type: 'UBN',
        number: '032180000118359719',
        country: 'MX',
        currency: 'MXN',
      },
    }),
  });

describe('a blocked user', () => {
  test('gets no new links until the block is taken back', async () => {
    const { link } = await createLink('u-linked');
    const userId = link?.user.id ?? '';
    expect(await block(userId, 'Fraud')).toEqual({
      user: { id: userId, blocked: true, blockedReason: 'Fraud' },
      userErrors: [],
    });
    expect(codesOf(await createLink('u-linked'))).toEqual(['USER_BLOCKED']);
    await unblock(userId);
    expect(codesOf(await createLink('u-linked'))).toEqual([]);
  });

  test('cannot request money by v2, nor by the atomic call, whose pipeline fails', async () => {
    const phoneNumber = newPhone();
    const { remittance } = await accept('block-before', phoneNumber);
    const userId = remittance?.user.id ?? '';
    expect(await outcomeOf('block-before')).toMatchObject({
      status: 'SUCCEEDED',
      operation: { id: 'block-before' },
      user: { cipStatus: 'VERIFIED' },
    });
    await block(userId);

    const rejected = await requestV2(userId, 'block-v2');
    expect([rejected.status, rejected.text]).toEqual([400, '{"reason":"The user is blocked."}']);
    expect(codesOf(await accept('block-full', phoneNumber))).toEqual([]);
    expect(await outcomeOf('block-full')).toMatchObject({
      status: 'FAILED',
      lastError: { code: 'ERROR_INVALID_OPERATION' },
      operation: null,
    });

    await unblock(userId);
    expect((await requestV2(userId, 'block-v2')).status).toBe(200);
    await accept('block-after', phoneNumber);
    expect(await outcomeOf('block-after')).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('gets no links after the block is answered', async () => {
    const { link } = await createLink('u-race');
    const userId = link?.user.id ?? '';
    let made = 1;
    for (let round = 0; round < 3; round += 1) {
      const before = Array.from({ length: 10 }, () => createLink('u-race'));
      const answered = block(userId);
      const after = answered.then(() => Promise.all(Array.from({ length: 5 }, () => createLink('u-race'))));
      expect((await answered).user?.blocked).toBe(true);
      expect((await after).map(codesOf)).toEqual(Array.from({ length: 5 }, () => ['USER_BLOCKED']));
      for (const one of await Promise.all(before)) {
        expect([[], ['USER_BLOCKED']]).toContainEqual(codesOf(one));
        made += one.link ? 1 : 0;
      }
      expect(await connection.collection('links').countDocuments({ accountId: 'acme/sandbox', userId })).toBe(
        made,
      );
      await unblock(userId);
    }
  });

  test('has no money request stored after the block is answered, however many come at once', async () => {
    const { link } = await createLink('u-waits');
    const userId = link?.user.id ?? '';
    const { requestData } = moneyRequestBody('');
    const create = () =>
      createMoneyRequest(
        exchange,
        moneyRequestBody(newReference(), { requestData: { ...requestData, userReferenceId: 'u-waits' } }),
      );
    const stored = () =>
      connection.collection('moneyRequests').countDocuments({ accountId: 'acme/sandbox', userId });
    for (let round = 0; round < 3; round += 1) {
      const start = await stored();
      const before = Array.from({ length: 8 }, create);
      const answered = block(userId).then(stored);
      const after = answered.then(() => Promise.all(Array.from({ length: 3 }, create)));
      const atBlock = await answered;
      const rejected = (await after).map(({ status, text }) => [status, JSON.parse(text).error.code]);
      expect(rejected).toEqual(Array.from({ length: 3 }, () => [403, 'USER_BLOCKED']));
      const made = (await Promise.all(before)).filter(({ status }) => status === 201).length;
      expect([await stored(), start + made]).toEqual([atBlock, atBlock]);
      await unblock(userId);
    }
  });

  test("another partner's is not known", async () => {
    const { link } = await createLink('u-foreign');
    const userId = link?.user.id ?? '';
    const by = (id: string) => queryGraph(exchange, BLOCK, { input: { userId: id } }, KEYS.globex);
    const foreign = await by(userId);
    expect(foreign.data).toEqual({ blockUser: { user: null, userErrors: [{ code: 'USER_NOT_FOUND' }] } });
    expect(foreign).toEqual(await by('usr_none'));
    expect(codesOf(await createLink('u-foreign'))).toEqual([]);
  });
});

test("a registered user's links get the result of the pipeline's identity check, and its operation", async () => {
  const phoneNumber = newPhone();
  const { remittance } = await accept('cip-failed', phoneNumber, 'CIPFAIL');
  const userId = remittance?.user.id ?? '';
  expect(await outcomeOf('cip-failed')).toMatchObject({ status: 'FAILED', user: { cipStatus: 'FAILED' } });

  const { link } = await createLink('u-cip');
  const linkId = link?.id ?? '';
  await connection.collection<{ _id: string }>('links').updateOne({ _id: linkId }, { $set: { userId } });
  // Links are looked for only where the partner has a reference of the user.
  const referenceId = 'u-cip-registered';
  await connection.collection<{ _id: string }>('users').updateOne({ _id: userId }, { $set: { referenceId } });
  await accept('cip-passed', phoneNumber);
  expect(await outcomeOf('cip-passed')).toMatchObject({
    status: 'SUCCEEDED',
    user: { cipStatus: 'VERIFIED' },
  });
  const { data } = await queryGraph(
    exchange,
    'query ($id: ID!) { operation(id: "cip-passed") { link { id } } link(id: $id) { activities { nodes { type data } } } }',
    { id: linkId },
  );
  expect(data).toEqual({
    operation: { link: { id: linkId } },
    link: {
      activities: {
        nodes: [
          { type: 'LINK_CREATED', data: { flow: 'transfer' } },
          { type: 'CIP_VERIFIED', data: { userId, provider: 'sandbox' } },
          { type: 'OPERATION_CREATED', data: { operationId: 'cip-passed', status: 'Sent' } },
        ],
      },
    },
  });
});
