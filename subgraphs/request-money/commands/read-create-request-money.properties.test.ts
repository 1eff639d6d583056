import { describe, expect, test } from '@jest/globals';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { parseJson } from '../../kernel/json/parse-json.ts';
import { currencyDecimals } from '../../kernel/money/iso.ts';
import { readCreateBody } from './read-create-request-money.ts';

/** The text of a create body, with the amount as it is given. */
function bodyText(change: {
  referenceId?: unknown;
  amount?: string;
  currency?: string;
  account?: unknown;
}): string {
  const { referenceId = 'AB12cd34', amount = '20', currency = 'MXN', account = '123' } = change;
  const requestData = {
    userReferenceId: 'u-1',
    name: { firstName: 'Ana', lastName: 'Ruiz' },
    address: { country: 'MX' },
    payoutMethod: 'bank_account',
    bankAccount: { accountNumber: account },
  };
  return `{"referenceId":${JSON.stringify(referenceId)},"amount":${amount},"currency":"${currency}","requestData":${JSON.stringify(requestData)}}`;
}

const read = (change: Parameters<typeof bodyText>[0]) => readCreateBody(parseJson(bodyText(change)));
const issuesOf = (change: Parameters<typeof bodyText>[0]) =>
  read(change).issues.map(({ path = [], message }) => `${path.join('.')} ${message}`);

const alphanumeric = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');
const textOf = (unit: fc.Arbitrary<string>, minLength: number, maxLength: number) =>
  fc.string({ unit, minLength, maxLength });

describe('referenceId (document 2, "Limits")', () => {
  test('any 8 letters and digits are taken as they are', () => {
    fc.assert(
      fc.property(textOf(alphanumeric, 8, 8), (referenceId) => {
        expect(read({ referenceId }).command?.referenceId).toBe(referenceId);
      }),
    );
  });

  test('nothing else is', () => {
    const isReference = (text: string) => /^[a-zA-Z0-9]{8}$/.test(text);
    const others = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      textOf(alphanumeric, 0, 7),
      textOf(alphanumeric, 9, 20),
      fc
        .tuple(textOf(alphanumeric, 7, 8), fc.constantFrom('\n', ' ', '-', 'é', '٣', '\u0000'))
        .map(([a, b]) => a + b),
    );
    fc.assert(
      fc.property(
        others.filter((text) => !isReference(text)),
        (referenceId) => {
          expect(issuesOf({ referenceId })).toEqual(['referenceId must be exactly 8 letters or digits']);
        },
      ),
    );
  });
});

describe('bankAccount.accountNumber (document 2, "Create body")', () => {
  const spaced = fc.array(fc.tuple(alphanumeric, fc.nat(2)), { minLength: 1, maxLength: 34 });

  test('spaces go, letters become capitals, and a normal text stays', () => {
    fc.assert(
      fc.property(spaced, (characters) => {
        const sent = characters.map(([character, spaces]) => character + ' '.repeat(spaces)).join('');
        const normal = characters.map(([character]) => character.toUpperCase()).join('');
        const taken = read({ account: sent }).command?.requestData.bankAccount?.accountNumber;
        expect(taken).toBe(normal);
        expect(read({ account: normal }).command?.requestData.bankAccount?.accountNumber).toBe(normal);
      }),
    );
  });

  test('more than 34, none, and any other character fail', () => {
    const others = fc.oneof(
      textOf(alphanumeric, 35, 60),
      textOf(fc.constant(' '), 0, 5),
      fc
        .tuple(
          textOf(alphanumeric, 0, 10),
          fc.oneof(
            fc.constantFrom('ß', 'ﬁ', 'ı', 'ſ', '-'),
            fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
          ),
          textOf(alphanumeric, 0, 10),
        )
        .filter(([, odd]) => !/^[A-Za-z0-9 ]$/.test(odd))
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(others, (account) => {
        expect(issuesOf({ account })).toEqual([
          'requestData.bankAccount.accountNumber must be 1 to 34 letters and digits',
        ]);
      }),
    );
  });
});

describe('amount (decisions, sections 0 and 3)', () => {
  const currency = fc.constantFrom('MXN', 'USD', 'JPY', 'KWD', 'CLF');
  /** The precision of a JSON number: 15 significant digits always survive a double. */
  const exact = currency.chain((code) =>
    fc.tuple(
      fc.constant(code),
      fc.integer({ min: 1, max: 999_999_999_999 }),
      fc.nat(currencyDecimals(code) ?? 0),
    ),
  );

  test('digits go in and come out as they were', () => {
    fc.assert(
      fc.property(exact, ([code, units, decimals]) => {
        const amount = new Decimal(units).div(new Decimal(10).pow(decimals)).toFixed(decimals);
        expect(read({ amount, currency: code }).command?.amount).toBe(amount);
      }),
    );
  });

  test('another notation of the same number is the same amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999 }), fc.nat(6), (units, exponent) => {
        const { command } = read({ amount: `${units}e${exponent}` });
        expect(command?.amount).toBe(new Decimal(`${units}e${exponent}`).toFixed());
      }),
    );
  });

  test('one decimal more than the currency has fails', () => {
    fc.assert(
      fc.property(exact, fc.integer({ min: 1, max: 9 }), ([code, units], last) => {
        const decimals = currencyDecimals(code) ?? 0;
        const amount = `${units % 1_000_000}.${'0'.repeat(decimals)}${last}`;
        expect(issuesOf({ amount, currency: code })).toEqual(['amount has more decimals than the currency']);
      }),
    );
  });

  test('a number that a JSON number would change fails, and is never rounded', () => {
    const long = fc.tuple(
      fc.integer({ min: 10 ** 11, max: 10 ** 12 - 1 }),
      fc.integer({ min: 0, max: 9_999 }),
    );
    fc.assert(
      fc.property(long, ([units, fraction]) => {
        const amount = `${units}.${String(fraction).padStart(4, '0')}`;
        const survives = new Decimal(Number(amount)).equals(amount);
        expect(issuesOf({ amount, currency: 'CLF' })).toEqual(
          survives ? [] : ['amount has more digits than a JSON number carries exactly'],
        );
      }),
    );
  });

  test('a million millions and more fails, in every currency and notation', () => {
    const tooMuch = fc.oneof(
      fc.bigInt({ min: 10n ** 12n, max: 10n ** 30n }).map(String),
      fc.integer({ min: 12, max: 60 }).map((exponent) => `1e${exponent}`),
    );
    fc.assert(
      fc.property(currency, tooMuch, (code, amount) => {
        expect(issuesOf({ amount, currency: code })).toEqual(['amount must be less than 1000000000000']);
      }),
    );
  });

  test('zero and less fail in every notation', () => {
    const nothing = fc.constantFrom('0', '-0', '0.00', '0e5', '-0.0', '-1', '-0.01', '-1e3');
    fc.assert(
      fc.property(nothing, (amount) => {
        expect(issuesOf({ amount })).toEqual(['amount must be greater than 0']);
      }),
    );
  });
});
