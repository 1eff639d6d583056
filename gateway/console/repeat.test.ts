import { describe, expect, test } from '@jest/globals';
import { createdReference, inputOf, NOTHING_KNOWN, newReference, valuesOf } from './repeat.ts';

const CREATE = {
  ...{ method: 'POST', path: '/v1/request-money', operation: 'CreateRequestMoney' },
  subjects: ['mr_0123456789', 'AB12cd34'],
};

describe('A logged request that can be sent anew', () => {
  test('is a create of a money request, by REST or by the console', () => {
    expect(createdReference(CREATE)).toBe('AB12cd34');
    const byConsole = { ...CREATE, method: 'POST', path: '/graphql', operation: 'ConsoleCreateRequestMoney' };
    expect(createdReference(byConsole)).toBe('AB12cd34');
  });

  test.each([
    ['of another method', { ...CREATE, method: 'GET' }],
    ['of another path', { ...CREATE, path: '/v1/request-money/:referenceId/cancel' }],
    ['of an operation that a partner has named', { ...CREATE, path: '/graphql', operation: 'Create' }],
    ['without a reference', { ...CREATE, subjects: ['mr_0123456789'] }],
  ])('is none %s', (_title, request) => {
    expect(createdReference(request)).toBeUndefined();
  });
});

test('A new reference has 8 letters or digits, and differs from the others', () => {
  const made = Array.from({ length: 100 }, newReference);
  expect(made.filter((one) => !/^[A-Z0-9]{8}$/.test(one))).toEqual([]);
  expect(new Set(made).size).toBe(made.length);
});

describe('The form of a new request', () => {
  const resolved = {
    sourceCountry: 'US',
    sourceCurrency: 'USD',
    destinationCountry: 'MX',
    destinationCurrency: 'MXN',
    payoutType: 'CARD',
    payerCode: null,
  } as const;
  const stored = {
    ...{ amount: { amount: '1500.50', currency: 'MXN' }, userReferenceId: 'u-77', resolved },
    user: { id: 'u_1', firstName: 'Ana', lastName: null },
  };
  const known = {
    ...{ amount: '1500.50', currency: 'MXN', userReferenceId: 'u-77', firstName: 'Ana', lastName: '' },
    ...{ country: 'MX', payoutMethod: 'BANK_ACCOUNT' },
  };

  test('begins with the values that the money request has; a payout to a card becomes one to an account', () => {
    expect(valuesOf(stored)).toEqual(known);
    expect(valuesOf({ ...stored, user: null })).toEqual({ ...known, firstName: '' });
    expect(valuesOf({ ...stored, resolved: { ...resolved, payoutType: 'CASH' } })).toMatchObject({
      payoutMethod: 'CASH',
    });
  });

  test('sends only the payout of its method, and no empty state', () => {
    const values = { ...NOTHING_KNOWN, ...valuesOf(stored), referenceId: 'AB12cd35', payout: '12' };
    expect(inputOf(values).requestData).toEqual({
      userReferenceId: 'u-77',
      name: { firstName: 'Ana', lastName: '' },
      address: { country: 'MX' },
      payoutMethod: 'BANK_ACCOUNT',
      bankAccount: { accountNumber: '12' },
    });
    expect(inputOf({ ...values, payoutMethod: 'CASH', state: 'CDMX' }).requestData).toMatchObject({
      address: { country: 'MX', state: 'CDMX' },
      payoutMethod: 'CASH',
      cash: { provider: '12' },
    });
  });
});
