import { describe, expect, test } from '@jest/globals';
import { stringify } from 'lossless-json';
import { OperationStatus, PaymentMethodType } from '../../schema/operations/types.ts';
import { inPascalCase } from '../shared/enum-names.ts';
import {
  type CreatedOperation,
  contactInfo,
  createdRecord,
  foundRecord,
  listedRecord,
  paymentMethodRecord,
} from './presenters.ts';

const USER = {
  id: 'usr_1',
  firstName: 'Ana',
  lastName: 'Ruiz',
  phoneNumber: '+5215512345678',
  email: 'ana@acme.test',
  country: 'MX',
};
const CONTACT = {
  phoneNumber: '+13055550100',
  country: 'US',
  firstName: 'Bob',
  lastName: 'Roe',
  email: 'bob@acme.test',
  registeredUser: { id: 'usr_2' },
};
const CARD = {
  type: PaymentMethodType.DEBIT_CARD,
  country: 'MX',
  id: 'pm_1',
  number: 'tok_0011223344556677_1111',
  currency: 'MXN',
  isPrimary: true,
};
const CREATED: CreatedOperation = {
  attributionLink: 'https://acme.test/t/corr-1',
  createdAt: '2026-11-21T08:00:00.000Z',
  status: 'SENT',
  statusDetails: 'RequestSent',
  code: 'ABCD2345',
  correlationId: 'corr-1',
  user: USER,
  contact: CONTACT,
  destinationPaymentMethod: CARD,
  amount: { amount: '82.192', currency: 'USD' },
  sender: { amount: '82.19', currency: 'USD' },
  recipient: { amount: '1500.50', currency: 'MXN' },
  exchangeRate: '18.2500',
  platId: 'plat_1',
};
const FOUND = {
  ...CREATED,
  id: 'corr-1',
  type: 'request',
  updatedAt: '2026-11-21T08:00:01.000Z',
  status: OperationStatus.READY_FOR_PICKUP,
  cancelable: false,
  isIgnored: false,
  tenantFee: { amount: '0.00' },
  reason: 'rent',
};
const FROM_USER =
  '{"userId":"usr_1","firstName":"Ana","lastName":"Ruiz","phoneNumber":"+5215512345678","email":"ana@acme.test","country":"MX"}';
const METHOD =
  '{"type":"DebitCard","country":"MX","id":"pm_1","number":"tok_0011223344556677_1111","currency":"MXN","isPrimary":true}';
const MONEY =
  '"amount":82.192,"currency":"USD","senderAmount":82.19,"senderCurrency":"USD","recipientAmout":1500.50,"recipientCurrency":"MXN"';
const HISTORY = `{"id":"corr-1","type":"request","createdAt":"2026-11-21T08:00:00.000Z","updatedAt":"2026-11-21T08:00:01.000Z","code":"ABCD2345","status":"ReadyForPickup","statusDetails":"RequestSent","cancelable":false,"userId":"usr_1","isIgnored":false,"attributionLink":"https://acme.test/t/corr-1","fromUser":${FROM_USER},"toUser":{"phoneNumber":"+13055550100","country":"US"},"fromTo":["usr_1","usr_2"],${MONEY},"exchangeRate":18.2500,"tenantfee":0.00,"reason":"rent","correlationId":"corr-1","destinationPaymentMethod":${METHOD},"sourcePaymentMethod":{},"platId":"plat_1"}`;

describe('The record of an operation', () => {
  test('in history has the order of the table, and numbers to the digits stored', () => {
    expect(stringify(listedRecord(FOUND))).toBe(HISTORY);
  });

  test('in detail has no platId', () => {
    expect(stringify(foundRecord(FOUND))).toBe(HISTORY.replace(',"platId":"plat_1"', ''));
  });

  test('in the v2 response', () => {
    expect(stringify(createdRecord(CREATED))).toBe(
      `{"attributionLink":"https://acme.test/t/corr-1","createdAt":"/Date(1795248000000)/","status":"Sent","statusDetails":"RequestSent","code":"ABCD2345","correlationId":"corr-1","fromUser":${FROM_USER},"toUser":{"phoneNumber":"+13055550100","country":"US","firstName":"Bob","lastName":"Roe","email":"bob@acme.test","userId":"usr_2"},"sourcePaymentMethod":{},"destinationPaymentMethod":${METHOD},${MONEY},"estimatedExchangeRate":18.2500,"platId":"plat_1"}`,
    );
  });

  test('leaves out absent fields, except those that are always there', () => {
    const bare = {
      ...FOUND,
      attributionLink: null,
      user: { ...USER, phoneNumber: null, email: null, country: null },
      contact: null,
      amount: null,
      sender: null,
      exchangeRate: null,
      tenantFee: null,
      reason: null,
      destinationPaymentMethod: null,
    };
    expect(stringify(listedRecord(bare))).toBe(
      '{"id":"corr-1","type":"request","createdAt":"2026-11-21T08:00:00.000Z","updatedAt":"2026-11-21T08:00:01.000Z","code":"ABCD2345","status":"ReadyForPickup","statusDetails":"RequestSent","cancelable":false,"userId":"usr_1","isIgnored":false,"fromUser":{"userId":"usr_1","firstName":"Ana","lastName":"Ruiz"},"fromTo":["usr_1"],"recipientAmout":1500.50,"recipientCurrency":"MXN","correlationId":"corr-1","sourcePaymentMethod":{},"platId":"plat_1"}',
    );
  });

  test('of a payer who is not a user of the tenant names only the requester', () => {
    const { fromTo } = foundRecord({ ...FOUND, contact: { ...CONTACT, registeredUser: null } });
    expect(fromTo).toEqual(['usr_1']);
    const { toUser } = createdRecord({ ...CREATED, contact: { ...CONTACT, registeredUser: null } });
    expect(toUser).not.toHaveProperty('userId');
  });

  test.each(['123456789012345678901234567890.10', '0.1', '10.10', '1000000000000000000000'])(
    'writes %s as it is',
    (amount) => {
      const record = createdRecord({ ...CREATED, recipient: { amount, currency: 'MXN' } });
      expect(stringify(record)).toContain(`"recipientAmout":${amount},`);
    },
  );
});

describe('A payment method', () => {
  test.each<[PaymentMethodType, string]>([
    ['DEBIT_CARD', 'DebitCard'],
    ['CREDIT_CARD', 'CreditCard'],
    ['UBN', 'UBN'],
    ['CASH_PICKUP', 'CashPickup'],
  ])('of the type %s is a %s', (type, name) => {
    expect(paymentMethodRecord({ ...CARD, type }).type).toBe(name);
  });

  test('without a number has none', () => {
    expect(paymentMethodRecord({ ...CARD, number: null })).not.toHaveProperty('number');
  });
});

test('A contact is {phone, firstName, lastName, countryCode}', () => {
  const [phoneNumber, country] = ['+13055550100', 'US'];
  expect(JSON.stringify(contactInfo({ phoneNumber, firstName: 'Bob', lastName: 'Roe', country }))).toBe(
    '{"phone":"+13055550100","firstName":"Bob","lastName":"Roe","countryCode":"US"}',
  );
  expect(contactInfo({ phoneNumber, firstName: null, lastName: null, country: null })).toEqual({
    phone: phoneNumber,
  });
});

test.each([
  ['SENT', 'Sent'],
  ['ON_HOLD', 'OnHold'],
  ['READY_FOR_PICKUP', 'ReadyForPickup'],
])('%s is %s', (name, wire) => {
  expect(inPascalCase(name)).toBe(wire);
});
