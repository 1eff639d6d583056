import { describe, expect, test } from '@jest/globals';
import { quote } from './quote.ts';

const FREE = { fixed: '0', percent: '0' };

const quoteOf = (changes: Partial<Parameters<typeof quote>[0]>) =>
  quote({
    recipientAmount: '1825',
    recipientCurrency: 'MXN',
    senderCurrency: 'USD',
    exchangeRate: '18.25',
    fee: FREE,
    ...changes,
  });

test('has the requested amount, its price, and the rate between them', () => {
  expect(quoteOf({ recipientAmount: '10.10', fee: { fixed: '1', percent: '2' } })).toEqual({
    recipientAmount: '10.10',
    recipientCurrency: 'MXN',
    senderAmount: '0.55',
    senderCurrency: 'USD',
    exchangeRate: '18.25',
    tenantFee: '1.01',
    amount: '1.56',
  });
});

describe('the sender pays recipientAmount / rate, half-even to the decimals of the currency', () => {
  test.each([
    ['a tie goes down to an even cent', '1.005', '1', 'USD', '1'],
    ['a tie goes up to an even cent', '1.015', '1', 'USD', '1.02'],
    ['a tie of a division goes down', '0.25', '2', 'USD', '0.12'],
    ['a tie of a division goes up', '0.27', '2', 'USD', '0.14'],
    ['just above a tie goes up', '0.2501', '2', 'USD', '0.13'],
    ['just below a tie goes down', '0.2699', '2', 'USD', '0.13'],
    ['JPY has no decimals: a tie goes down', '5', '2', 'JPY', '2'],
    ['JPY has no decimals: a tie goes up', '7', '2', 'JPY', '4'],
    ['KWD has three: a tie goes down', '0.001', '2', 'KWD', '0'],
    ['KWD has three: a tie goes up', '0.003', '2', 'KWD', '0.002'],
    ['KWD has three', '100', '3', 'KWD', '33.333'],
    ['a rate of many digits', '1000', '18.123456789012345678901234567890', 'USD', '55.18'],
    ['a rate far below 1', '1', '0.000000000000000000000000012', 'USD', '83333333333333333333333333.33'],
    ['an amount of 16 digits', '9007199254740991', '18.25', 'USD', '493545164643341.97'],
    [
      'a value that no float distinguishes from a tie',
      '0.125',
      '1.0000000000000000000000000000001',
      'USD',
      '0.12',
    ],
    ['and its like above the tie', '0.125', '0.9999999999999999999999999999999', 'USD', '0.13'],
  ])('%s', (_name, recipientAmount, exchangeRate, senderCurrency, senderAmount) => {
    const quoted = quoteOf({ recipientAmount, exchangeRate, senderCurrency });
    expect(quoted).toMatchObject({ senderAmount, tenantFee: '0', amount: senderAmount, exchangeRate });
  });

  test('the same currency is changed at 1', () => {
    const same = { recipientAmount: '1500.5', recipientCurrency: 'MXN', senderCurrency: 'MXN' };
    expect(quoteOf({ ...same, exchangeRate: '1' })).toMatchObject({
      senderAmount: '1500.5',
      amount: '1500.5',
      exchangeRate: '1',
    });
  });
});

describe('the fee is fixed + percent of senderAmount, half-even once, at the end', () => {
  test.each([
    ['fixed alone', { fixed: '2.5', percent: '0' }, '100', 'USD', '2.5', '102.5'],
    ['percent alone', { fixed: '0', percent: '1.5' }, '100', 'USD', '1.5', '101.5'],
    ['both', { fixed: '0.99', percent: '2.9' }, '100', 'USD', '3.89', '103.89'],
    ['a tie goes down', { fixed: '0', percent: '0.5' }, '1', 'USD', '0', '1'],
    ['a tie goes up', { fixed: '0.01', percent: '0.5' }, '1', 'USD', '0.02', '1.02'],
    ['the parts are not rounded one by one', { fixed: '0.006', percent: '0.6' }, '1', 'USD', '0.01', '1.01'],
    ['of yen', { fixed: '0.5', percent: '1' }, '100', 'JPY', '2', '102'],
    ['of dinars', { fixed: '0.0005', percent: '1' }, '0.1', 'KWD', '0.002', '0.102'],
    ['a percent of many digits', { fixed: '0', percent: '3.3333333333333' }, '300', 'USD', '10', '310'],
  ])('%s', (_name, fee, recipientAmount, senderCurrency, tenantFee, amount) => {
    const quoted = quoteOf({ fee, recipientAmount, senderCurrency, exchangeRate: '1' });
    expect(quoted).toMatchObject({ tenantFee, amount, senderAmount: recipientAmount });
  });

  test('percent applies to the amount that the payer sends, not to the amount that arrives', () => {
    expect(quoteOf({ fee: { fixed: '0', percent: '10' } })).toMatchObject({
      senderAmount: '100',
      tenantFee: '10',
      amount: '110',
    });
  });
});

test('amounts are plain decimals, however large or small', () => {
  const large = quoteOf({ recipientAmount: '1000000000000000000000000', exchangeRate: '1' });
  expect(large.amount).toBe('1000000000000000000000000');
  const small = quoteOf({ recipientAmount: '0.01', exchangeRate: '1000' });
  expect(small.amount).toBe('0');
});
