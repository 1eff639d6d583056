import { describe, expect, test } from '@jest/globals';
import { createBlindIndex } from '../../../kernel/crypto/blind-index.ts';
import { type RequestMoneyV2Command, readRequestMoneyV2 } from '../../commands/request-money-v2.ts';
import { ACCOUNT, bodyOf, CARD } from '../../testing.ts';
import { digestRequest, digestSentRequest, type IdentifiedRequest } from './digest-request.ts';

const blindIndex = createBlindIndex(Buffer.alloc(32, 7));

type Changes = Readonly<Record<string, unknown>>;

function commandOf(changes: Changes): RequestMoneyV2Command {
  const read = readRequestMoneyV2(bodyOf({ correlationId: 'corr', ...changes }));
  if (!read.ok) {
    throw new TypeError('The body is in order');
  }
  return read.value;
}

function digest(changes: Changes = {}, more: Partial<IdentifiedRequest> = {}): string {
  return digestRequest(blindIndex, {
    accountId: 'acme/sandbox',
    userId: 'usr_1',
    phoneNumber: '+13125550188',
    amount: '1825',
    command: commandOf(changes),
    ...more,
  });
}

function sentDigest(changes: Changes = {}): string {
  return digestSentRequest(blindIndex, {
    accountId: 'acme/sandbox',
    userId: 'usr_1',
    amount: '1825',
    command: commandOf(changes),
  });
}

const method = (of: object, changes: object = {}) => ({ destinationPaymentMethod: { ...of, ...changes } });
const CASH = { type: 'CashPickup', country: 'MX' };

/** Requests that are under way are found by it: it may not change. */
test('known answer', () => {
  expect(digest()).toBe('sbhiVvrvkq6tLh50_jv5cYzrMmNREMOXk6rfPkbU86M');
  expect(sentDigest()).toBe('x2yK4jxUOzivqWn9xXLqBWDOOfNa9BtHGAWiu7s78s4');
});

describe('is the same for', () => {
  test.each<[string, string, string]>([
    ['zeros behind the amount', digest(), digest({}, { amount: '1825.00' })],
    ['the text that names the payer', digest(), digest({ requestTo: '(312) 555-0188' })],
    ['a card number in groups', digest(method(CARD)), digest(method(CARD, { number: '4111111111111111' }))],
    [
      'fields that an account does not have',
      digest(),
      digest(method(ACCOUNT, { nameOnCard: 'x', other: 1 })),
    ],
    ['cash in the currency of the request', digest(method(CASH)), digest(method(CASH, { currency: 'MXN' }))],
    [
      'a method that is not looked at',
      digest({ destinationPaymentMethodId: 'pm_1' }),
      digest({ destinationPaymentMethodId: 'pm_1', ...method(CARD) }),
    ],
  ])('%s', (_what, one, other) => {
    expect(one).toBe(other);
  });
});

test.each<[string, string, string]>([
  ['tenant', digest(), digest({}, { accountId: 'globex/sandbox' })],
  ['environment', digest(), digest({}, { accountId: 'acme/live' })],
  ['user', digest(), digest({}, { userId: 'usr_2' })],
  ['payer', digest(), digest({}, { phoneNumber: '+13125550189' })],
  [
    'amount, by digits that a double loses',
    digest({}, { amount: '0.1' }),
    digest({}, { amount: '0.10000000000000001' }),
  ],
  ['currency', digest(), digest({ recipientCurrency: 'USD' })],
  ['reason', digest(), digest({ reason: 'Rent' })],
  ['reason, by letter case', digest({ reason: 'rent' }), digest({ reason: 'Rent' })],
  ['account number', digest(), digest(method(ACCOUNT, { number: '1' }))],
  [
    'spelling of an account number, which its provider is called with',
    digest(),
    digest(method(ACCOUNT, { number: '0321 80000118359719' })),
  ],
  ['type', digest(method(CARD)), digest(method(CARD, { type: 'CreditCard' }))],
  ['country of the payout', digest(), digest(method(ACCOUNT, { country: 'US' }))],
  ['currency of the payout', digest(), digest(method(ACCOUNT, { currency: 'USD' }))],
  ['text that names the payer', sentDigest(), sentDigest({ requestTo: '(312) 555-0188' })],
  ['reason beside that text', sentDigest(), sentDigest({ reason: 'Rent' })],
  ['name on the card', digest(method(CARD)), digest(method(CARD, { nameOnCard: 'EVA RUIZ' }))],
  ['month of the card', digest(method(CARD)), digest(method(CARD, { expirationDate: '0129' }))],
  ['cash whose currency is null', digest(method(CASH)), digest(method(CASH, { currency: null }))],
  ['method that the user has', digest(), digest({ destinationPaymentMethodId: 'pm_1' })],
  [
    'id of it',
    digest({ destinationPaymentMethodId: 'pm_1' }),
    digest({ destinationPaymentMethodId: 'pm_2' }),
  ],
])('changes with the %s', (_what, one, other) => {
  expect(one).not.toBe(other);
});
