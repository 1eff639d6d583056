import { beforeEach, describe, expect, test } from '@jest/globals';
import { CATALOGUE, type ErrorCode } from '../../kernel/errors/catalogue.ts';
import { ACCOUNT, bodyOf, CARD, newCorrelationId, principal, START, stranger, useBench } from '../testing.ts';

const bench = useBench();
let userId: string;

beforeEach(async () => {
  userId = await bench.newUser();
});

describe('a request', () => {
  test('is saved with its price, its first move and its event', async () => {
    const correlationId = newCorrelationId();
    const made = await bench.request(userId, { correlationId, reason: 'Rent' });
    const { operation, moves, events } = await bench.stored(correlationId);
    expect(made.ok && made.value).toEqual({
      _id: expect.stringMatching(/^o_/),
      accountId: 'acme/sandbox',
      sourceCountry: 'US',
      destinationCountry: 'MX',
      operationId: correlationId,
      type: 'request',
      code: expect.stringMatching(/^[2-9A-HJKMNP-Z]{8}$/),
      platId: expect.stringMatching(/^plat_.{20}$/),
      status: 'Sent',
      statusDetails: 'RequestSent',
      version: 1,
      userId,
      contactId: expect.stringMatching(/^con_/),
      paymentMethodId: expect.stringMatching(/^pm_/),
      recipientAmount: '1825',
      recipientCurrency: 'MXN',
      senderAmount: '100',
      senderCurrency: 'USD',
      exchangeRate: '18.25',
      tenantFee: '3',
      amount: '103',
      reason: 'Rent',
      attributionLink: `https://acme.test/t/${correlationId}`,
      createdAt: START,
      updatedAt: START,
    });
    expect(operation).toEqual(made.ok && made.value);
    expect(moves).toMatchObject([
      { version: 1, previousStatus: null, status: 'Sent', statusDetails: 'RequestSent', at: START },
    ]);
    expect(events).toMatchObject([
      { type: 'operation.created', version: 1, previousStatus: null, status: 'Sent', data: { userId } },
    ]);
  });

  test('calls the providers under keys of its own, and counts for the contact', async () => {
    const correlationId = newCorrelationId();
    await bench.request(userId, { correlationId });
    const own = { accountId: 'acme/sandbox', operationId: correlationId };
    expect(bench.calls).toEqual([
      { provider: 'ubn', idempotencyKey: expect.any(String), ...own },
      { provider: 'funding', idempotencyKey: expect.any(String), ...own },
    ]);
    const keys = bench.calls.map(({ idempotencyKey }) => idempotencyKey);
    const digest = keys[0]?.split(':')[2];
    expect(digest).toMatch(/^[\w-]{43}$/);
    expect(keys).toEqual([
      `acme/sandbox:${correlationId}:${digest}:PAYMENT_METHOD`,
      `acme/sandbox:${correlationId}:${digest}:REQUEST_MONEY`,
    ]);
    const contact = await bench.deps.users.findContact(
      { accountId: 'acme/sandbox', userId },
      { phoneNumber: '+13125550188' },
    );
    expect(contact).toMatchObject({ countryCode: 'US', requests: 1, lastRequestedAt: START });
  });

  test('keeps a method in full once; its id does the same, and wins over an object', async () => {
    const first = await bench.request(userId, { destinationPaymentMethod: CARD });
    const again = await bench.request(userId, { destinationPaymentMethod: CARD });
    const id = first.ok ? first.value.paymentMethodId : undefined;
    const byId = await bench.request(userId, {
      destinationPaymentMethodId: id,
      destinationPaymentMethod: { type: 'nonsense' },
    });
    expect(id).toMatch(/^pm_/);
    expect([again, byId].map((made) => made.ok && made.value.paymentMethodId)).toEqual([id, id]);
    expect(bench.calls.map(({ provider }) => provider)).toEqual([
      'cards',
      'funding',
      'cards',
      'funding',
      'funding',
    ]);
  });

  test.each([
    ['by phone in national form', '(312) 555-0188'],
    ['by phone in E.164', '+13125550188'],
    ['by email, letter case aside', 'LUIS@example.com'],
  ])('finds a contact %s', async (_name, requestTo) => {
    const contactId = await bench.newContact(userId, {
      phoneNumber: '+13125550188',
      firstName: 'Luis',
      email: 'luis@example.com',
      countryCode: 'US',
    });
    expect(await bench.request(userId, { requestTo })).toMatchObject({ ok: true, value: { contactId } });
  });
});

describe('a failure', () => {
  const missing = 'ERROR_REQUEST_MONEY_FULL';
  test.each<[string, Record<string, unknown>, string]>([
    ['no requestTo', { requestTo: undefined }, missing],
    ['no correlationId', { correlationId: undefined }, 'ERROR_CORRELATION_ID_REQUIRED'],
    ['an empty correlationId', { correlationId: '' }, 'ERROR_CORRELATION_ID_REQUIRED'],
    ['a number for a correlationId', { correlationId: 7 }, 'ERROR_CORRELATION_ID_REQUIRED'],
    ['a correlationId of 256 characters', { correlationId: 'c'.repeat(256) }, missing],
    ['no recipientAmount', { recipientAmount: undefined }, missing],
    ['no recipientCurrency', { recipientCurrency: undefined }, missing],
    ['no destination', { destinationPaymentMethod: undefined }, missing],
    [
      'a card without a name',
      { destinationPaymentMethod: { ...CARD, nameOnCard: undefined } },
      'INVALID_NAME',
    ],
    ['a reason that is no text', { reason: 5 }, missing],
    ['no phone', { requestTo: 'Luis' }, 'INVALID_PHONE_NUMBER'],
    ['a number for a phone', { requestTo: 13125550188 }, 'INVALID_PHONE_NUMBER'],
    ['an email that nobody has', { requestTo: 'no@example.com' }, 'ERROR_CONTACT_NOT_FOUND'],
    ['a dial code of others', { requestTo: '+4915112345678' }, 'ERROR_PHONE_NUMBER_NOT_SUPPORTED'],
    ['an unknown method', { destinationPaymentMethodId: 'pm_none' }, 'ERROR_PAYMENT_METHOD_NOT_FOUND'],
    ['a method id that is no text', { destinationPaymentMethodId: 1 }, 'ERROR_PAYMENT_METHOD_NOT_FOUND'],
    [
      'an unknown type',
      { destinationPaymentMethod: { ...ACCOUNT, type: 'Wallet' } },
      'ERROR_PAYMENT_METHOD_NOT_FOUND',
    ],
    [
      'a card that fails Luhn',
      { destinationPaymentMethod: { ...CARD, number: '4111111111111112' } },
      'ERROR_CARD_VERIFICATION',
    ],
    [
      'an account without number',
      { destinationPaymentMethod: { ...ACCOUNT, number: undefined } },
      'ERROR_UBN_NUMBER_REQUIRED',
    ],
    [
      'a payout type without route',
      { destinationPaymentMethod: { type: 'CashPickup', country: 'MX' } },
      'ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED',
    ],
    [
      'a payer whose country has no route',
      { requestTo: '+525512345678' },
      'ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED',
    ],
    ['no currency', { recipientCurrency: 'XXY' }, 'ERROR_INVALID_CURRENCY_CODE'],
    ['a currency of others', { recipientCurrency: 'USD' }, 'ERROR_INVALID_CURRENCY_CODE'],
    [
      "a currency that is not the method's",
      { destinationPaymentMethod: { ...ACCOUNT, currency: 'USD' } },
      'ERROR_INVALID_CURRENCY_CODE',
    ],
    ['an amount of nothing', { recipientAmount: 0 }, 'ERROR_INVALID_AMOUNT_ERROR'],
    ['too many decimals', { recipientAmount: 1.005 }, 'ERROR_INVALID_AMOUNT_ERROR'],
    ['an amount as text', { recipientAmount: '10' }, 'ERROR_INVALID_AMOUNT_ERROR'],
    ['an amount that is too large', { recipientAmount: 1e12 }, 'ERROR_INVALID_AMOUNT_ERROR'],
    ['an amount whose price is nothing', { recipientAmount: 0.09 }, 'ERROR_INVALID_AMOUNT_ERROR'],
  ])('for %s, which keeps nothing', async (_name, changes, code) => {
    const correlationId = newCorrelationId();
    expect(await bench.request(userId, { correlationId, ...changes })).toMatchObject({
      ok: false,
      failures: [{ code }],
    });
    expect(bench.calls).toEqual([]);
    expect(await bench.models.operations.countDocuments({ userId })).toBe(0);
    expect(await bench.request(userId, { correlationId })).toMatchObject({ ok: true });
  });

  test.each<[string, Record<string, unknown>, string]>([
    [
      'a card that the provider turns down',
      { destinationPaymentMethod: { ...CARD, number: '4000000000000002' } },
      'CARD_VERIFICATION_ERROR',
    ],
    [
      'an account that the provider turns down',
      { destinationPaymentMethod: { ...ACCOUNT, number: '000000000000000002' } },
      'ERROR_ERROR_ADD_SOURCE_UBN_ERROR',
    ],
    [
      'a card provider that is away',
      { destinationPaymentMethod: { ...CARD, number: '4000000000000119' } },
      'ERROR_INTERNAL_SERVER_ERROR',
    ],
  ])('for %s, which keeps the id for that request alone', async (_name, changes, code) => {
    const correlationId = newCorrelationId();
    expect(await bench.request(userId, { correlationId, ...changes })).toMatchObject({
      ok: false,
      failures: [{ code, message: CATALOGUE[code as ErrorCode].message }],
    });
    expect(await bench.models.operations.countDocuments({ userId })).toBe(0);
    expect(await bench.request(userId, { correlationId })).toMatchObject({
      failures: [{ code: 'ERROR_CORRELATION_ID_ALREADY_USED' }],
    });
    expect(bench.calls.map(({ provider }) => provider)).not.toContain('funding');
  });

  test.each([
    ['FUNDINGDOWN', 'ERROR_INTERNAL_SERVER_ERROR'],
    ['OPERATIONINVALID', 'ERROR_INVALID_OPERATION'],
    ['CONTACTNOTFOUND', 'ERROR_CONTACT_NOT_FOUND'],
  ] as const)('of the funding provider for %s keeps nothing', async (lastName, code) => {
    await bench.newContact(userId, { phoneNumber: '+13125550188', lastName });
    expect(await bench.request(userId)).toMatchObject({
      failures: [{ code, message: CATALOGUE[code].message }],
    });
    expect(await bench.models.operations.countDocuments({ userId })).toBe(0);
  });

  test('has every issue of the shape', async () => {
    const body = bodyOf({ requestTo: undefined, correlationId: undefined, recipientAmount: undefined });
    expect(await bench.send(principal, userId, body)).toMatchObject({
      failures: [
        { code: missing, message: 'requestTo is required', path: ['requestTo'] },
        { code: 'ERROR_CORRELATION_ID_REQUIRED', path: ['correlationId'] },
        { code: missing, path: ['recipientAmount'] },
      ],
    });
  });

  test("an unknown user and another tenant's are alike, whatever the body is", async () => {
    const unknown = await bench.send(principal, 'u_none', undefined);
    const foreign = await bench.send(stranger, userId, bodyOf());
    expect(unknown).toMatchObject({ failures: [{ code: 'ERROR_SUBSCRIBER_NOT_FOUND' }] });
    expect(foreign).toEqual(unknown);
  });

  test('a blocked user may not request money', async () => {
    bench.deps.users.accountState = async () => ({ userId, blocked: true });
    expect(await bench.request(userId)).toMatchObject({ failures: [{ code: 'ERROR_INVALID_OPERATION' }] });
    expect(bench.calls).toEqual([]);
  });

  test("another user's payment method is unknown", async () => {
    const made = await bench.request(await bench.newUser());
    const destinationPaymentMethodId = made.ok ? made.value.paymentMethodId : undefined;
    expect(await bench.request(userId, { destinationPaymentMethodId })).toMatchObject({
      failures: [{ code: 'ERROR_PAYMENT_METHOD_NOT_FOUND' }],
    });
  });
});
