import 'reflect-metadata';
import { describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { partnerOpenApi } from '../partner/openapi.ts';
import { remittanceOpenApi } from '../remittance/openapi.ts';
import { requestMoneyOpenApi } from '../request-money/openapi.ts';

describe.each([
  ['document 1', remittanceOpenApi()],
  ['document 2', requestMoneyOpenApi()],
  ['document 3', partnerOpenApi()],
])('the OpenAPI description of %s', (_name, document) => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

  test('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)));
    expect(result).toMatchObject({ valid: true });
  });

  test('names each call once', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(0);
  });

  test('refers to schemas that are there, and has none that is not used', () => {
    const text = JSON.stringify(document);
    const used = new Set([...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name));
    expect([...used].sort()).toEqual(Object.keys(document.components.schemas).sort());
  });
});

describe('the body of a create', () => {
  const schema = requestMoneyOpenApi().components.schemas.CreateRequestMoney as object;
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  const body = (change: object = {}, data: object = {}) => ({
    referenceId: 'AB12cd34',
    amount: 10.5,
    currency: 'MXN',
    requestData: {
      userReferenceId: 'u-1',
      name: { firstName: 'Ana', lastName: 'Ruiz' },
      address: { country: 'MX' },
      payoutMethod: 'bank_account',
      bankAccount: { accountNumber: '12 ab' },
      ...data,
    },
    ...change,
  });

  test.each([
    ['as documented', body()],
    ['the legacy alias', body({}, { bankAccount: { number: 'x' } })],
    ['cash', body({}, { payoutMethod: 'cash', cash: { provider: 'Elektra' }, bankAccount: 'not looked at' })],
    ['a card', body({}, { payoutMethod: 'card', card: { number: '4111 1111 1111 1111' } })],
    ['unknown properties', body({ more: 1 }, { more: 1 })],
    ['a short life', body({ expiresInMinutes: 1 })],
  ])('accepts %s', (_what, value) => {
    expect(validate(value) ? [] : validate.errors).toEqual([]);
  });

  test.each([
    ['a short reference', body({ referenceId: 'AB12cd3' })],
    ['an amount of 0', body({ amount: 0 })],
    ['an amount as text', body({ amount: '10' })],
    ['too long a life', body({ expiresInMinutes: 43_201 })],
    ['half a minute', body({ expiresInMinutes: 0.5 })],
    ['an account number of 35', body({}, { bankAccount: { accountNumber: 'A'.repeat(35) } })],
    ['no account number', body({}, { bankAccount: { bankCode: '1' } })],
    ['no object of the method', body({}, { payoutMethod: 'cash' })],
    ['another method', body({}, { payoutMethod: 'cheque' })],
    ['recipientReferenceId', body({ recipientReferenceId: 'u-1' })],
    ['no name', body({}, { name: undefined })],
  ])('refuses %s', (_what, value) => {
    expect(validate(JSON.parse(JSON.stringify(value)))).toBe(false);
  });
});

describe('the body of the atomic call', () => {
  const schema = remittanceOpenApi().components.schemas.RequestMoneyFull as object;
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  const card = {
    type: 'DebitCard',
    number: '4111 1111 1111 1111',
    nameOnCard: 'Ana Ruiz',
    expirationDate: '1230',
    country: 'MX',
    currency: 'MXN',
  };
  const body = (change: object = {}, method: object = card) => ({
    requester: {
      phoneNumber: '+525512345678',
      firstName: 'Ana',
      lastName: 'Ruiz',
      address1: 'Reforma 1',
      countryCode: 'MX',
      city: 'CDMX',
      state: 'CMX',
    },
    request: {
      recipientCurrency: 'MXN',
      recipientAmount: 10.5,
      destinationPaymentMethod: method,
      correlationId: 'corr-1',
      requestTo: { phoneNumber: '+13055550100', firstName: 'Bob', lastName: 'Roe', countryCode: 'US' },
    },
    ...change,
  });

  test.each([
    ['a card', body()],
    ['a bank account', body({}, { type: 'UBN', number: '0321', country: 'MX', currency: 'MXN' })],
    ['cash without a currency', body({}, { type: 'CashPickup', country: 'MX' })],
    ['unknown properties of the method', body({}, { ...card, more: 1 })],
  ])('accepts %s', (_what, value) => {
    expect(validate(value) ? [] : validate.errors).toEqual([]);
  });

  test.each([
    ['an unknown property', body({ more: 1 })],
    ['no requester', body({ requester: undefined })],
    ['another method', body({}, { ...card, type: 'Cheque' })],
    ['a card without a name', body({}, { ...card, nameOnCard: undefined })],
    ['an account without a number', body({}, { type: 'UBN', country: 'MX', currency: 'MXN' })],
    ['an account without a currency', body({}, { type: 'UBN', number: '1', country: 'MX' })],
    ['a method without a country', body({}, { type: 'CashPickup' })],
  ])('refuses %s', (_what, value) => {
    expect(validate(JSON.parse(JSON.stringify(value)))).toBe(false);
  });
});
