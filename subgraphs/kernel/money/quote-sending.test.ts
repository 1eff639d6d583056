import { describe, expect, test } from '@jest/globals';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { isChargeable } from './amount.ts';
import { currencyDecimals } from './iso.ts';
import { quote, quoteSending } from './quote.ts';

type Transfer = Parameters<typeof quoteSending>[0];

const DOLLARS: Transfer = {
  amount: '100',
  senderCurrency: 'USD',
  recipientCurrency: 'MXN',
  exchangeRate: '18.25',
  fee: { fixed: '0', percent: '0' },
};

/** The operation for what a pre-quote says that arrives. */
const operationFor = ({ amount: _, ...transfer }: Transfer, recipientAmount: string) =>
  quote({ ...transfer, recipientAmount });

describe('the sent amount is the largest price of an operation that is at most the amount', () => {
  test.each<[string, Partial<Transfer>, unknown]>([
    [
      'a percentage is of what is exchanged',
      { amount: '1000', fee: { fixed: '0', percent: '2.5' } },
      { send: '1000', fee: '24.39', receive: '17804.88' },
    ],
    ['a fixed fee', { fee: { fixed: '1.5', percent: '0' } }, { send: '100', fee: '1.5', receive: '1797.62' }],
    [
      'a price that no operation has is left out',
      { amount: '0.25', recipientCurrency: 'JPY', exchangeRate: '10' },
      { send: '0.2', fee: '0', receive: '2' },
    ],
    [
      'the fee rounds up past the amount',
      { amount: '1.01', fee: { fixed: '0', percent: '0.6' } },
      { send: '1.01', fee: '0.01', receive: '18.25' },
    ],
    [
      'yen',
      {
        amount: '101',
        senderCurrency: 'JPY',
        recipientCurrency: 'USD',
        exchangeRate: '0.0066',
        fee: { fixed: '1', percent: '1' },
      },
      { send: '100', fee: '2', receive: '0.65' },
    ],
    [
      'dinars',
      {
        amount: '1',
        senderCurrency: 'KWD',
        recipientCurrency: 'KWD',
        exchangeRate: '1',
        fee: { fixed: '0.001', percent: '0' },
      },
      { send: '1', fee: '0.001', receive: '0.999' },
    ],
    ['a fee as large as the amount', { amount: '1', fee: { fixed: '1', percent: '0' } }, undefined],
    ['a fee above the amount', { amount: '1', fee: { fixed: '5', percent: '0' } }, undefined],
    ['nothing arrives', { amount: '0.01', exchangeRate: '0.4' }, undefined],
  ])('%s', (_name, changes, expected) => {
    expect(quoteSending({ ...DOLLARS, ...changes })).toEqual(expected);
  });
});

const CURRENCIES = ['USD', 'MXN', 'JPY', 'KWD', 'CLP', 'BHD', 'EUR', 'CLF'];
const decimal = (most: bigint, decimals: number) =>
  fc
    .bigInt({ min: 1n, max: most })
    .map((digits) => new Decimal(digits.toString()).div(new Decimal(10).pow(decimals)).toFixed());

const transfers: fc.Arbitrary<Transfer> = fc
  .record({
    senderCurrency: fc.constantFrom(...CURRENCIES),
    recipientCurrency: fc.constantFrom(...CURRENCIES),
    exchangeRate: fc.oneof(
      decimal(10_000_000n, 4),
      decimal(10_000n, 8),
      decimal(10n ** 25n, 21),
      fc.constantFrom('1', '0.5', '2', '18.25'),
    ),
    fee: fc.record({
      fixed: fc.oneof(fc.constant('0'), decimal(10_000n, 3)),
      percent: fc.oneof(fc.constant('0'), decimal(100_000n, 4), decimal(3_000n, 1)),
    }),
    units: fc.oneof(fc.bigInt(1n, 500n), fc.bigInt(1n, 10_000_000n), fc.bigInt(1n, 99_999_999_999n)),
  })
  .map(({ units, ...transfer }) => {
    const decimals = currencyDecimals(transfer.senderCurrency) ?? 2;
    return {
      ...transfer,
      amount: new Decimal(units.toString()).div(new Decimal(10).pow(decimals)).toFixed(),
    };
  });

describe('for any rate, fee and currencies', () => {
  test('the operation for what arrives has the same fee and price, and no larger operation fits the amount', () => {
    fc.assert(
      fc.property(transfers, (transfer) => {
        const quoted = quoteSending(transfer);
        const unit = new Decimal(10).pow(-(currencyDecimals(transfer.recipientCurrency) ?? 2));
        if (quoted === undefined) {
          const least = operationFor(transfer, unit.toFixed());
          expect(isChargeable(least.senderAmount) && new Decimal(least.amount).lte(transfer.amount)).toBe(
            false,
          );
          return;
        }
        const operation = operationFor(transfer, quoted.receive);
        expect([operation.amount, operation.tenantFee]).toEqual([quoted.send, quoted.fee]);
        expect(new Decimal(quoted.send).lte(transfer.amount)).toBe(true);
        const exchanged = new Decimal(quoted.send).minus(quoted.fee);
        expect(quoted.receive).toBe(receivedFor(exchanged, transfer));
        // The next larger price is that of the first amount that costs more.
        expect(new Decimal(nextPrice(transfer, quoted.receive, unit)).gt(transfer.amount)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});

function receivedFor(exchanged: Decimal, { exchangeRate, recipientCurrency }: Transfer): string {
  const Exact = Decimal.clone({ precision: 100, rounding: Decimal.ROUND_HALF_EVEN });
  return new Exact(exchanged)
    .times(exchangeRate)
    .toDecimalPlaces(currencyDecimals(recipientCurrency) ?? 2)
    .toFixed();
}

/** The price of the smallest amount above `receive` that has another price. */
function nextPrice(transfer: Transfer, receive: string, unit: Decimal): string {
  const { amount } = operationFor(transfer, receive);
  let low = new Decimal(0);
  let high = new Decimal(1);
  const priceAt = (steps: Decimal) =>
    operationFor(transfer, new Decimal(receive).plus(unit.times(steps)).toFixed()).amount;
  while (priceAt(high) === amount) {
    low = high;
    high = high.times(2);
  }
  while (high.minus(low).gt(1)) {
    const middle = low.plus(high).div(2).floor();
    [low, high] = priceAt(middle) === amount ? [middle, high] : [low, middle];
  }
  return priceAt(high);
}
