import { describe, expect, test } from '@jest/globals';
import { maskCardNumbers, maskLongNumbers } from './mask-numbers.ts';

describe('maskCardNumbers', () => {
  test.each([
    ['no separator', '4111111111111111'],
    ['dots', '4111.1111.1111.1111'],
    ['underscores', '4111_1111_1111_1111'],
    ['slashes', '4111/1111/1111/1111'],
    ['two spaces', '4111  1111  1111  1111'],
    ['no-break and thin spaces', '4111\u00a01111\u20091111\u202f1111'],
    ['dashes of every length', '4111‐1111–1111—1111'],
    ['a line end', '4111 1111\n1111 1111'],
    ['zero-width characters', '4111\u200b1111\u200c1111\u2060111\u00ad1'],
    ['several separators', '4111 - 1111 · 1111, 1111'],
    ['a separator behind each digit', [...'4111111111111111'].join('.')],
    ['brackets and quotes', '4111) "1111" [1111] 1111'],
    ['12 digits', '411111111111'],
    ['19 digits', '4111 1111 1111 1111 111'],
    ['more than 19 digits', '4111 1111 1111 1111 1111 1111'],
  ])('masks a number with %s', (_what, number) => {
    const masked = maskCardNumbers(`Card ${number} was declined`);
    expect(masked).toBe('Card …1111 was declined');
  });

  test.each([
    ['full-width digits', '４１１１ １１１１ １１１１ １１１１', '…１１１１'],
    ['Arabic digits', '٤١١١١١١١١١١١١١١١', '…١١١١'],
    ['two numbers with a word between', '4111111111111111 and 5555555555554444', '…1111 and …4444'],
  ])('masks %s', (_what, text, masked) => {
    expect(maskCardNumbers(text)).toBe(masked);
  });

  test.each(['11 digits: 41111111111', '1234567 or 7654321', 'On 2026-11-21 at noon', 'Limit 100.50 USD'])(
    'leaves %j',
    (text) => {
      expect(maskCardNumbers(text)).toBe(text);
    },
  );

  test('takes no longer for hostile texts', () => {
    const before = process.cpuUsage().user;
    maskCardNumbers(`${'1........'.repeat(7_000)}x${'1a'.repeat(30_000)}`);
    expect(process.cpuUsage().user - before).toBeLessThan(2_000_000);
  });
});

test('maskLongNumbers masks numbers of accounts, too', () => {
  expect(maskLongNumbers('Account 0321 8000 is closed, 1234567 is not')).toBe(
    'Account …8000 is closed, 1234567 is not',
  );
});
