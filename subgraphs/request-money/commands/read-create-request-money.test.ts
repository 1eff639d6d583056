import { describe, expect, test } from '@jest/globals';
import { parseJson } from '../../kernel/json/parse-json.ts';
import { readCreate, readCreateBody } from './read-create-request-money.ts';

const VALID = {
  referenceId: 'AB12cd34',
  amount: 1500.5,
  currency: 'MXN',
  requestData: {
    userReferenceId: 'u-77',
    name: { firstName: 'Ana', lastName: 'Ruiz' },
    address: { country: 'MX', state: 'CDMX' },
    payoutMethod: 'bank_account',
    bankAccount: { accountNumber: '0321 8000 0118 3597 19' },
  },
};

type Change = (body: typeof VALID & Record<string, unknown>) => unknown;

function read(change: Change = (body) => body) {
  const body = structuredClone(VALID);
  const changed = change(body) ?? body;
  return readCreateBody(parseJson(JSON.stringify(changed)));
}

const issuesOf = (change: Change) =>
  read(change).issues.map(({ path, message }) => `${path?.join('.')}: ${message}`);

describe('readCreateBody', () => {
  test('normalises the account number and keeps the digits of the amount', () => {
    expect(read().command).toMatchObject({
      referenceId: 'AB12cd34',
      amount: '1500.5',
      expiresInMinutes: 10_080,
      requestData: { bankAccount: { accountNumber: '032180000118359719' } },
    });
    expect(readCreateBody(parseJson(JSON.stringify(VALID).replace('1500.5', '10.10'))).command?.amount).toBe(
      '10.10',
    );
  });

  test('takes the legacy alias bankAccount.number, the newer name first', () => {
    expect(
      read((b) => ({ ...b, requestData: { ...b.requestData, bankAccount: { number: 'ab 1' } } })).command
        ?.requestData.bankAccount,
    ).toEqual({ accountNumber: 'AB1' });
    expect(
      read((b) => ({
        ...b,
        requestData: { ...b.requestData, bankAccount: { number: 'x1', accountNumber: 'y2' } },
      })).command?.requestData.bankAccount,
    ).toEqual({ accountNumber: 'Y2' });
  });

  test('ignores unknown properties and payout objects of other methods', () => {
    const { command } = read((b) => ({
      ...b,
      extra: 1,
      requestData: { ...b.requestData, cash: 7, more: true },
    }));
    expect(command?.requestData).not.toHaveProperty('more');
    expect(command?.requestData).not.toHaveProperty('cash');
  });

  test.each<[string, Change, string[]]>([
    ['no referenceId', ({ referenceId: _, ...b }) => b, ['referenceId: is required']],
    [
      'a referenceId of 7',
      (b) => ({ ...b, referenceId: 'AB12cd3' }),
      ['referenceId: must be exactly 8 letters or digits'],
    ],
    [
      'a referenceId with a dash',
      (b) => ({ ...b, referenceId: 'AB12-d34' }),
      ['referenceId: must be exactly 8 letters or digits'],
    ],
    ['no amount', ({ amount: _, ...b }) => b, ['amount: is required']],
    ['amount as text', (b) => ({ ...b, amount: '10' }), ['amount: must be a number']],
    ['amount 0', (b) => ({ ...b, amount: 0 }), ['amount: must be greater than 0']],
    [
      'amount of 3 decimals',
      (b) => ({ ...b, amount: 0.125 }),
      ['amount: has more decimals than the currency'],
    ],
    ['no currency', ({ currency: _, ...b }) => b, ['currency: is required']],
    ['a life of 0', (b) => ({ ...b, expiresInMinutes: 0 }), ['expiresInMinutes: must be at least 1']],
    [
      'a life of 43201',
      (b) => ({ ...b, expiresInMinutes: 43_201 }),
      ['expiresInMinutes: must be at most 43200'],
    ],
    ['a life of 1.5', (b) => ({ ...b, expiresInMinutes: 1.5 }), ['expiresInMinutes: must be a whole number']],
    ['no requestData', ({ requestData: _, ...b }) => b, ['requestData: is required']],
    ['a list', () => [], ['undefined: must be a JSON object']],
    ['a number', () => 5, ['undefined: must be a JSON object']],
    [
      'numbers that are no objects',
      (b) => ({ ...b, requestData: { ...b.requestData, name: 5, address: 6, bankAccount: 7 } }),
      [
        'requestData.name: must be an object',
        'requestData.address: must be an object',
        'requestData.bankAccount: must be an object',
      ],
    ],
    [
      'no account number and an unknown bank code',
      (b) => ({ ...b, requestData: { ...b.requestData, bankAccount: { bankCode: 5 } } }),
      [
        'requestData.bankAccount.bankCode: must be a string',
        'requestData.bankAccount.accountNumber: is required',
      ],
    ],
    ['a list for a text, answered once', (b) => ({ ...b, currency: [] }), ['currency: must be a string']],
    [
      'no name',
      (b) => ({ ...b, requestData: { ...b.requestData, name: undefined } }),
      ['requestData.name: is required'],
    ],
    [
      'an unknown method',
      (b) => ({ ...b, requestData: { ...b.requestData, payoutMethod: 'gold' } }),
      ['requestData.payoutMethod: must be one of bank_account, card, cash'],
    ],
    [
      'no payout object',
      (b) => ({ ...b, requestData: { ...b.requestData, payoutMethod: 'cash' } }),
      ['requestData.cash: is required'],
    ],
    [
      'an account of 35',
      (b) => ({ ...b, requestData: { ...b.requestData, bankAccount: { accountNumber: 'A'.repeat(35) } } }),
      ['requestData.bankAccount.accountNumber: must be 1 to 34 letters and digits'],
    ],
    [
      'an account of spaces',
      (b) => ({ ...b, requestData: { ...b.requestData, bankAccount: { accountNumber: '  ' } } }),
      ['requestData.bankAccount.accountNumber: must be 1 to 34 letters and digits'],
    ],
    [
      'no account number',
      (b) => ({ ...b, requestData: { ...b.requestData, bankAccount: {} } }),
      ['requestData.bankAccount.accountNumber: is required'],
    ],
    [
      'an invalid date',
      (b) => ({ ...b, requestData: { ...b.requestData, dob: '2001-02-29' } }),
      ['requestData.dob: must be a date as YYYY-MM-DD'],
    ],
    [
      'recipientReferenceId',
      (b) => ({ ...b, recipientReferenceId: 'x' }),
      ['recipientReferenceId: must not be sent'],
    ],
    [
      'recipientReferenceId deep down',
      (b) => ({ ...b, extra: [{ recipientReferenceId: null }] }),
      ['extra.0.recipientReferenceId: must not be sent'],
    ],
  ])('fails for %s', (_name, change, issues) => {
    expect(issuesOf(change).map((issue) => issue.replace(/^: /, 'undefined: '))).toEqual(issues);
  });

  test('finds every issue at once', () => {
    expect(
      issuesOf(() => ({
        referenceId: 'x',
        amount: -1,
        currency: 'MXN',
        requestData: { payoutMethod: 'gold', address: {} },
      })),
    ).toEqual([
      'referenceId: must be exactly 8 letters or digits',
      'requestData.userReferenceId: is required',
      'requestData.name: is required',
      'requestData.address.country: is required',
      'requestData.payoutMethod: must be one of bank_account, card, cash',
      'amount: must be greater than 0',
    ]);
  });
});

test.each([
  ['rest', 'Idempotency-Key'],
  ['graphql', 'idempotencyKey'],
] as const)('an invalid idempotency key is named as the caller of %s sent it: %s', (surface, name) => {
  const { command } = readCreate({ body: parseJson(JSON.stringify(VALID)), idempotencyKey: '', surface });
  expect(command).toMatchObject({ ok: false, failures: [{ code: 'VALIDATION_FAILED', path: [name] }] });
});
