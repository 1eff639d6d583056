import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { quote } from '../kernel/money/quote.ts';
import { isBalanced, type JournalLine, sumLines } from '../ledger/index.ts';
import { canMove, OPERATION_STATUSES, type OperationStatus, transitionsToMatch } from './lifecycle.ts';
import { postingsOf } from './postings.ts';

const OPERATION = quote({
  recipientAmount: '1825.00',
  recipientCurrency: 'MXN',
  senderCurrency: 'USD',
  exchangeRate: '18.25',
  fee: { fixed: '1', percent: '2' },
});

/** Postings of a path from the creation, each as `KIND: account currency amount; …`. */
function postingsAlong(path: readonly OperationStatus[], operation = OPERATION): string[] {
  const moves = path.map((to, index) => ({ to, version: index + 1 }));
  return postingsOf(operation, [], moves).map(
    ({ version, kind, lines }) => `${version} ${kind}: ${toText(lines)}`,
  );
}

function toText(lines: readonly JournalLine[]): string {
  return lines.map(({ account, currency, amount }) => `${account} ${currency} ${amount}`).join('; ');
}

describe('an operation', () => {
  test('that is paid posts the claim, the exchange with its fee, and the payout', () => {
    expect(postingsAlong(['Sent', 'Funding', 'Funded', 'InTransit', 'Completed'])).toEqual([
      '2 CLAIM: PARTNER_PAYABLE USD -103; PAYER_RECEIVABLE USD 103',
      '3 FUNDING: FX_POSITION MXN 1825; PARTNER_PAYABLE MXN -1825; FEE_INCOME USD -3; FX_POSITION USD -100; PARTNER_PAYABLE USD 103; PAYER_RECEIVABLE USD -103; PROVIDER_CLEARING USD 103',
      '5 PAYOUT: PARTNER_PAYABLE MXN 1825; PROVIDER_CLEARING MXN -1825',
    ]);
  });

  test('that ends unpaid releases the claim', () => {
    expect(postingsAlong(['Sent', 'Accepted', 'Funding', 'Cancelled'])).toEqual([
      '2 CLAIM: PARTNER_PAYABLE USD -103; PAYER_RECEIVABLE USD 103',
      '4 RELEASE: PARTNER_PAYABLE USD 103; PAYER_RECEIVABLE USD -103',
    ]);
    expect(postingsAlong(['Sent', 'Rejected'])).toEqual([]);
  });

  test('that fails after its money has arrived owes it to the payer, the fee included', () => {
    const path: OperationStatus[] = ['Sent', 'Funding', 'Funded', 'OnHold', 'Failed'];
    expect(postingsAlong(path).at(-1)).toMatch(/^5 REFUND: /);
    expect(toText(balanceAfter(path))).toBe('PAYER_RECEIVABLE USD -103; PROVIDER_CLEARING USD 103');
  });

  test('on hold posts nothing, and nothing again when it goes back', () => {
    expect(postingsAlong(['Sent', 'Funding', 'OnHold', 'Funding']).length).toBe(1);
    const released = [{ to: 'Funded' as const, version: 5 }];
    expect(postingsOf(OPERATION, ['Funded', 'OnHold'], released)).toEqual([]);
  });

  test('in one currency posts one line for each account', () => {
    const operation = { ...OPERATION, recipientAmount: '100', recipientCurrency: 'USD' };
    expect(postingsAlong(['Funding', 'Funded', 'Completed'], operation)).toEqual([
      '1 CLAIM: PARTNER_PAYABLE USD -103; PAYER_RECEIVABLE USD 103',
      '2 FUNDING: FEE_INCOME USD -3; PARTNER_PAYABLE USD 3; PAYER_RECEIVABLE USD -103; PROVIDER_CLEARING USD 103',
      '3 PAYOUT: PARTNER_PAYABLE USD 100; PROVIDER_CLEARING USD -100',
    ]);
  });

  test('without a price posts nothing', () => {
    const { recipientAmount, recipientCurrency } = OPERATION;
    const moves = [{ to: 'Funded' as const, version: 1 }];
    expect(postingsOf({ recipientAmount, recipientCurrency }, [], moves)).toEqual([]);
  });
});

function balanceAfter(path: readonly OperationStatus[], operation = OPERATION): JournalLine[] {
  const moves = path.map((to, index) => ({ to, version: index + 1 }));
  return sumLines(postingsOf(operation, [], moves).flatMap(({ lines }) => lines));
}

/** Each status that may follow, those included to which a money request moves its operation. */
function nextOf(status: OperationStatus, heldFrom: OperationStatus | undefined): OperationStatus[][] {
  const held = heldFrom === undefined ? {} : { heldFrom };
  const moves = OPERATION_STATUSES.filter((to) => canMove(status, to, heldFrom)).map((to) => [to]);
  const ends = (['Completed', 'Rejected', 'Cancelled'] as const).map(
    (to) => transitionsToMatch({ status, statusDetails: '', ...held }, to) ?? [],
  );
  return [...moves, ...ends].filter((path) => path.length > 0);
}

/** A legal path, made by choices among the statuses that may follow. */
const legalPath = fc
  .tuple(fc.constantFrom<OperationStatus>('Sent', 'Funding'), fc.array(fc.nat(100), { maxLength: 12 }))
  .map(([first, choices]) => {
    const path = [first];
    let heldFrom: OperationStatus | undefined;
    for (const choice of choices) {
      const status = path.at(-1) ?? first;
      const next = nextOf(status, heldFrom);
      for (const to of next[choice % Math.max(1, next.length)] ?? []) {
        heldFrom = to === 'OnHold' ? path.at(-1) : undefined;
        path.push(to);
      }
    }
    return path;
  });

const amount = fc
  .tuple(fc.bigInt({ min: 1n, max: 99_999_999_999_999n }), fc.constantFrom('1', '0.37', '18.25', '1234.5678'))
  .map(([units, exchangeRate]) =>
    quote({
      recipientAmount: `${units / 100n}.${(units % 100n).toString().padStart(2, '0')}`,
      recipientCurrency: 'MXN',
      senderCurrency: 'USD',
      exchangeRate,
      fee: { fixed: '0.35', percent: '1.25' },
    }),
  );

describe('every legal path', () => {
  test('posts entries that balance in each currency', () => {
    fc.assert(
      fc.property(legalPath, amount, (path, operation) => {
        const moves = path.map((to, index) => ({ to, version: index + 1 }));
        const postings = postingsOf(operation, [], moves);
        expect(postings.filter(({ lines }) => !isBalanced(lines))).toEqual([]);
      }),
    );
  });

  test('leaves what its end says: nothing, a payout or a refund, whatever way led there', () => {
    const expected: Record<string, (funded: boolean) => string> = {
      Completed: () =>
        'FX_POSITION MXN 1825; PROVIDER_CLEARING MXN -1825; FEE_INCOME USD -3; FX_POSITION USD -100; PROVIDER_CLEARING USD 103',
    };
    for (const end of ['Failed', 'Rejected', 'Cancelled']) {
      expected[end] = (funded) => (funded ? 'PAYER_RECEIVABLE USD -103; PROVIDER_CLEARING USD 103' : '');
    }
    fc.assert(
      fc.property(legalPath, (path) => {
        const wasFunded = path.includes('Funded');
        const text = expected[path.at(-1) ?? '']?.(wasFunded);
        fc.pre(text !== undefined);
        expect(toText(balanceAfter(path))).toBe(text);
      }),
    );
  });

  test('posts the same when it is posted move by move, as a process that knows only the status before', () => {
    fc.assert(
      fc.property(legalPath, (path) => {
        const all = postingsAlong(path);
        let heldFrom: OperationStatus | undefined;
        const single = path.flatMap((to, index) => {
          const from = path[index - 1];
          const before = from === undefined ? [] : heldFrom === undefined ? [from] : [heldFrom, from];
          heldFrom = to === 'OnHold' ? from : undefined;
          return postingsOf(OPERATION, before, [{ to, version: index + 1 }]).map(
            ({ version, kind, lines }) => `${version} ${kind}: ${toText(lines)}`,
          );
        });
        expect(single).toEqual(all);
      }),
    );
  });
});
