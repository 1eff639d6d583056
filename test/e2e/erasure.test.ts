import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createBlindIndex } from '../../subgraphs/kernel/crypto/blind-index.ts';
import { deriveKey } from '../../subgraphs/kernel/crypto/box.ts';
import { nameWords } from '../../subgraphs/kernel/person/name-words.ts';
import type { Deployment } from '../support/deployment.ts';
import { type Dumped, dumpOpened } from '../support/dump-opened.ts';
import { type Exchange, exchangeWith, type RawResponse } from '../support/http.ts';
import { useScene } from '../support/scene.ts';
import { INTERNAL_KEY, KEYS } from '../support/seed.ts';
import { until } from '../support/until.ts';

const KEY = { 'X-API-Key': KEYS.acme, 'content-type': 'application/json' };
const INTERNAL = { 'X-Internal-Key': INTERNAL_KEY, 'content-type': 'application/json' };
const PICTURE = 'the picture of an erased passport';
const PNG = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.from(PICTURE),
]);

/** Everything personal about the users that are erased: all of it can be opened before, none of it afterwards. */
const PERSONAL = {
  firstName: 'Citlalmina',
  lastName: 'Tlacaelelzin',
  payerFirst: 'Guntherandus',
  payerLast: 'Burgundarius',
  phone: '+525587651234',
  payerPhone: '+12135550177',
  email: 'citlal.erased@mail.test',
  payerEmail: 'gunther.erased@mail.test',
  dob: '1984-05-17',
  address: 'Calzada de la Viga 9913',
  account: '646180157098510029',
  accountOfRequest: 'MX77ERASED0012345678',
  lastFour: '1486',
  idNumber: 'PASSERASED998877',
  metadata: 'a note about Citlalmina only',
  blockReason: 'Seen with a forged visa',
  askReason: 'Rent of the house in Calzada 9913',
  v2Reason: 'Surgery of Citlalmina',
  failureReason: 'Citlalmina has no account',
  details: 'Citlalmina called and asked to stop',
  checkedName: 'Citlalmina Tlacaelelzin, checked',
  image: PICTURE,
};
const CARD = '4539578763621486';

/** Another user's: they stay. */
const OTHER = { firstName: 'Nezahualpilli', lastName: 'Acolmiztli' };

const ERASE = `mutation ($input: EraseUserInput!) {
  eraseUser(input: $input) {
    user { id erasedAt erasureRequestedAt erasureReason blocked firstName lastName phoneNumber email dob cipResult }
    userErrors { code message }
  }
}`;

/** The values that partners reconcile by: an erasure keeps all of them. */
const SUMS = `{
  operationTotals(groupBy: [STATUS, CURRENCY]) { status currency count amount { amount } }
  requestMoneyTotals(groupBy: [STATUS, CURRENCY]) { status currency count amount { amount } }
  operations(first: 50) { nodes { id status amount { amount currency } createdAt updatedAt } }
  requestMonies(first: 50) { nodes { referenceId status amount { amount currency } createdAt updatedAt } }
  remittances(first: 50) { nodes { correlationId status createdAt updatedAt } }
}`;

describe('Erasing users', () => {
  const scene = useScene();
  const secrets = {
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    API_KEY_PEPPER: randomBytes(32).toString('hex'),
  };
  let deployment: Deployment;
  let exchange: Exchange;
  /** Registered by document 1, and known by the partner's own id. */
  const users = { registered: '', referenced: '' };
  const answers: { before?: unknown; erased: Record<string, unknown>[] } = { erased: [] };
  let seenBefore: string[] = [];

  beforeAll(async () => {
    deployment = await scene.deploy({ env: secrets });
    exchange = exchangeWith((await deployment.start()).url);
    await createMoneyRequest('ERother1', { userReferenceId: 'u-other', ...OTHER });
    await enterRegistered();
    await enterReferenced();
    seenBefore = await findPersonal();
    answers.before = await query(SUMS);
    answers.erased = [await erase(users.registered), await erase(users.referenced)];
  });

  test('every personal value could be found before', () => {
    const found = new Set(seenBefore.map((place) => place.split(' in ')[0]));
    expect(Object.keys(PERSONAL).filter((name) => !found.has(name))).toEqual([]);
  });

  test('no collection has a personal value, in clear or under the keys of the server', async () => {
    expect(await findPersonal()).toEqual([]);
  });

  test('no digest finds the person', async () => {
    const blindIndex = createBlindIndex(deriveKey(Buffer.from(secrets.API_KEY_PEPPER), 'blind-index'));
    const { phone, payerPhone, email, payerEmail, firstName, lastName } = PERSONAL;
    const digests = [
      ...nameWords([firstName, lastName]).map((word) => blindIndex.digest('acme/sandbox', 'nameWord', word)),
      ...[phone, payerPhone].map((value) => blindIndex.digest('acme/sandbox', 'phone', value)),
      ...[email, payerEmail].map((value) => blindIndex.digest('acme/sandbox', 'email', value)),
    ];
    const dumped = await dump();
    expect(digests.filter((digest) => dumped.some(({ bytes }) => bytes.includes(digest)))).toEqual([]);
  });

  test('another user of the partner keeps everything', async () => {
    const dumped = await dump();
    expect(dumped.some(({ bytes }) => bytes.includes(OTHER.lastName))).toBe(true);
  });

  test('an erased user answers when it was done, and nulls', () => {
    const nobody = { firstName: null, lastName: null, phoneNumber: null, email: null, dob: null };
    const erased = {
      ...{ erasedAt: expect.any(String), erasureRequestedAt: expect.any(String) },
      ...{ erasureReason: 'Request 4711', blocked: true, ...nobody, cipResult: null },
    };
    expect(answers.erased).toEqual([
      { user: { id: users.registered, ...erased }, userErrors: [] },
      { user: { id: users.referenced, ...erased }, userErrors: [] },
    ]);
  });

  test('amounts, statuses, times and totals stay', async () => {
    expect(await query(SUMS)).toEqual(answers.before);
  });

  test('the payments of an erased user answer in their documented shapes, without names', async () => {
    const detail = JSON.parse((await call('GET', `/v1/user/operations/detail/er-2`)).text);
    expect(detail).toMatchObject({
      userId: users.registered,
      fromUser: { userId: users.registered },
      toUser: { phoneNumber: '' },
      status: 'Rejected',
      destinationPaymentMethod: { type: 'UBN', country: 'MX', currency: 'MXN' },
    });
    expect(detail.reason).toBeUndefined();
    const lookUp = JSON.parse((await call('GET', '/v1/request-money/ERasked1')).text);
    expect(lookUp).toMatchObject({ referenceId: 'ERasked1', status: 'rejected', waLink: '' });
    expect(lookUp.statusDetails).toBe('Erased');
    for (const path of [
      `/v1/user/operations/${users.registered}`,
      `/v1/user/operations/frequent/${users.registered}/5`,
      '/partner/users',
      '/partner/operations',
      '/partner/links',
    ]) {
      await call('GET', path);
    }
  });

  test('new data for an erased user is refused', async () => {
    const asked = moneyRequest('ERasked2', { userReferenceId: 'u-erased', firstName: 'A', lastName: 'B' });
    expect(await refusal('POST', '/v1/request-money', asked)).toEqual([403, 'USER_ERASED']);
    const link = { flow: 'cip', referenceId: 'u-erased' };
    expect(await refusal('POST', '/partner/links', link)).toEqual([403, 'USER_ERASED']);
    const { registered } = users;
    const contact = { phoneNumber: '+12135550111', firstName: 'A', lastName: 'B', countryCode: 'US' };
    expect(await refusal('POST', `/v1/user/contacts/${registered}`, contact)).toEqual([400, undefined]);
    const ubn = { number: '646180157098510037', currency: 'MXN', country: 'MX' };
    expect(await refusal('POST', `/v1/user/payment-methods/ubn/${registered}`, ubn)).toEqual([
      400,
      undefined,
    ]);
    const v2 = {
      ...{ correlationId: 'er-9', recipientAmount: 20, recipientCurrency: 'MXN', requestTo: '+12135550111' },
      destinationPaymentMethod: { type: 'UBN', ...ubn },
    };
    expect(await refusal('POST', `/v1/user/operations/request-money-v2/${registered}`, v2)).toEqual([
      400,
      undefined,
    ]);
    expect((await refusal('POST', `/partner/users/${registered}/unblock`))[1]).toBe('USER_ERASED');
    const check = { status: 'verified', result: { name: PERSONAL.checkedName } };
    expect((await send('PATCH', `/v1/internal/users/${registered}/cip`, check, INTERNAL)).status).toBe(404);
    const answer = { referenceId: 'u-erased', userData: { idNumber: PERSONAL.idNumber } };
    expect(await refusal('PUT', `/partner/data-requests/${dataRequestId}`, answer)).toEqual([
      403,
      'USER_ERASED',
    ]);
    expect(await findPersonal()).toEqual([]);
  });

  test('a repeated erasure has no effect', async () => {
    expect(await erase(users.registered)).toEqual(answers.erased[0]);
  });

  test('the user of another partner is unknown', async () => {
    const headers = { ...KEY, 'X-API-Key': KEYS.globex };
    const input = { id: users.registered, reason: 'Request 4711' };
    const { data } = JSON.parse(
      (await send('POST', '/graphql', { query: ERASE, variables: { input } }, headers)).text,
    );
    expect(data.eraseUser.userErrors[0].code).toBe('USER_NOT_FOUND');
  });

  let dataRequestId = '';

  async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = KEY) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return exchange({ method, path, headers, ...(text !== undefined && { body: text }) });
  }

  async function call(...request: Parameters<typeof send>): Promise<RawResponse> {
    const answer = await send(...request);
    if (answer.status >= 300) {
      throw new Error(`${request[0]} ${request[1]} answered ${answer.status}: ${answer.text}`);
    }
    return answer;
  }

  async function refusal(...request: Parameters<typeof send>): Promise<[number, string | undefined]> {
    const { status, text } = await send(...request);
    const { code, error, details } = JSON.parse(text);
    return [status, code ?? error?.code ?? details?.[0]?.code];
  }

  async function query(text: string, variables: object = {}) {
    const answer = JSON.parse((await call('POST', '/graphql', { query: text, variables })).text);
    expect(answer.errors).toBeUndefined();
    return answer.data;
  }

  async function erase(id: string) {
    return (await query(ERASE, { input: { id, reason: 'Request 4711' } })).eraseUser;
  }

  async function expectOpen(id: string): Promise<void> {
    expect(await erase(id)).toMatchObject({ user: null, userErrors: [{ code: 'USER_HAS_OPEN_PAYMENTS' }] });
  }

  function moneyRequest(
    referenceId: string,
    person: { userReferenceId: string; firstName: string; lastName: string },
  ) {
    const { userReferenceId, firstName, lastName } = person;
    const requestData = {
      userReferenceId,
      name: { firstName, lastName },
      dob: PERSONAL.dob,
      address: {
        country: 'MX',
        state: 'CDMX',
        line1: userReferenceId === 'u-other' ? 'x' : PERSONAL.address,
      },
      payoutMethod: 'bank_account',
      bankAccount: { accountNumber: userReferenceId === 'u-other' ? 'MX1' : PERSONAL.accountOfRequest },
    };
    return { referenceId, amount: 20, currency: 'MXN', requestData };
  }

  async function createMoneyRequest(
    referenceId: string,
    person: { userReferenceId: string; firstName: string; lastName: string },
  ): Promise<void> {
    const body = moneyRequest(referenceId, person);
    const { dob: _, ...requestData } = body.requestData;
    const sent = person.userReferenceId === 'u-other' ? { ...body, requestData } : body;
    await call('POST', '/v1/request-money', sent, { ...KEY, 'Idempotency-Key': `erasure ${referenceId}` });
  }

  /** Uses every way by which something personal of a registered user comes in. No erasure is accepted before the end. */
  async function enterRegistered(): Promise<void> {
    const { firstName, lastName, phone, email, dob, address, account } = PERSONAL;
    const place = { address1: address, countryCode: 'MX', city: 'CDMX', state: 'CDMX' };
    const requester = { phoneNumber: phone, firstName, lastName, email, dob, ...place };
    const method = {
      ...{ type: 'DebitCard', number: CARD, nameOnCard: `${firstName} ${lastName}` },
      ...{ expirationDate: '1239', country: 'MX', currency: 'MXN' },
    };
    const requestTo = {
      ...{ phoneNumber: PERSONAL.payerPhone, firstName: PERSONAL.payerFirst, lastName: PERSONAL.payerLast },
      ...{ email: PERSONAL.payerEmail, countryCode: 'US' },
    };
    const sum = { recipientCurrency: 'MXN', recipientAmount: 25.5 };
    const fields = { ...sum, correlationId: 'er-1', reason: PERSONAL.askReason, requestTo };
    const body = { requester, request: { ...fields, destinationPaymentMethod: method } };
    const { userId } = JSON.parse((await call('POST', '/v1/user/operations/request-money-full', body)).text);
    users.registered = userId;
    await expectOpen(userId);
    await until('the remittance has ended', async () => {
      const database = await deployment.database();
      return (await database.collection('remittances').countDocuments({ status: 'SUCCEEDED' })) === 1;
    });
    const ubn = { number: account, currency: 'MXN', country: 'MX' };
    await call('POST', `/v1/user/payment-methods/ubn/${userId}`, ubn);
    const v2 = { ...sum, correlationId: 'er-2', reason: PERSONAL.v2Reason, requestTo: PERSONAL.payerPhone };
    const payout = { destinationPaymentMethod: { type: 'UBN', ...ubn } };
    await call('POST', `/v1/user/operations/request-money-v2/${userId}`, { ...v2, ...payout });
    await expectOpen(userId);
    const result = { checkedName: PERSONAL.checkedName };
    await call('PATCH', `/v1/internal/users/${userId}/cip`, { status: 'verified', result }, INTERNAL);
    await moveOperation('er-1', { status: 'Funding' });
    await moveOperation('er-1', { status: 'Funded' });
    await moveOperation('er-1', { status: 'Completed' });
    await moveOperation('er-2', { status: 'Rejected', failureReason: PERSONAL.failureReason });
  }

  async function moveOperation(id: string, move: object): Promise<void> {
    await call('PATCH', `/v1/internal/operations/${id}/status`, { partnerId: 'acme', ...move }, INTERNAL);
  }

  async function enterReferenced(): Promise<void> {
    const { firstName, lastName, dob, idNumber } = PERSONAL;
    await createMoneyRequest('ERasked1', { userReferenceId: 'u-erased', firstName, lastName });
    const idImage = `data:image/png;base64,${PNG.toString('base64')}`;
    const userData = { name: { firstName, lastName }, idType: 'passport', idNumber, dob, idImage };
    const link = { flow: 'cip', referenceId: 'u-erased', userData, metadata: { note: PERSONAL.metadata } };
    const { data } = JSON.parse((await call('POST', '/partner/links', link)).text);
    users.referenced = data.userId;
    await expectOpen(data.userId);
    const raise = { partnerId: 'acme', linkId: data.linkId, fields: ['idNumber'] };
    dataRequestId = JSON.parse(
      (await call('POST', '/v1/internal/data-requests', raise, INTERNAL)).text,
    ).dataRequestId;
    const moved = { partnerId: 'acme', referenceId: 'ERasked1', status: 'rejected' };
    const rejected = { ...moved, statusDetails: PERSONAL.details };
    await call('PATCH', '/v1/internal/remittances/status', rejected, INTERNAL);
    await expectOpen(data.userId);
    await call('POST', `/partner/links/${data.linkId}/revoke`);
    await call('POST', `/partner/users/${data.userId}/block`, { reason: PERSONAL.blockReason });
  }

  async function dump(): Promise<Dumped[]> {
    return dumpOpened(await deployment.database(), secrets.ENCRYPTION_KEY);
  }

  async function findPersonal(): Promise<string[]> {
    const places = (await dump()).flatMap(({ where, bytes }) =>
      Object.entries(PERSONAL)
        .filter(([name, value]) => isIn(bytes, name, value))
        .map(([name]) => `${name} in ${where}`),
    );
    return [...new Set(places)].sort();
  }
});

/** Four digits alone could be part of any id: the token of the card has its last four. */
function isIn(bytes: Buffer, name: string, value: string): boolean {
  return name === 'lastFour' ? /tok_\w*1486/.test(bytes.toString('latin1')) : bytes.includes(value);
}
