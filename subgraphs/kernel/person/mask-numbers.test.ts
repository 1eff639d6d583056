import { describe, expect, test } from '@jest/globals';
import {
  hideInLog,
  isHiddenInLog,
  maskCardNumbers,
  maskField,
  maskIdNumber,
  maskLongNumbers,
  maskPath,
} from './mask-numbers.ts';

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
    ['many dots', '4111.........1111.........1111.........1111'],
    ['many spaces', `4111${' '.repeat(40)}1111 1111 1111`],
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
  expect(maskLongNumbers('Refused on 2026-11-21, at 2026-11-21 10, account 2026-11-2199')).toBe(
    'Refused on 2026-11-21, at 2026-11-21 10, account …2199',
  );
});

describe('the number of a field', () => {
  test.each([
    ['QX-7391-ZK84', '********ZK84', '****ZK84'],
    ['12345', '*2345', '****2345'],
    ['1234', '1234', '****'],
    ['7', '7', '****'],
  ])('%s is masked as %s, the number of an identity document as %s', (number, masked, document) => {
    expect([maskField(number), maskIdNumber(number)]).toEqual([masked, document]);
  });
});

describe('hideInLog', () => {
  test.each([
    ['a card number', 'paid by 4111 1111 1111 1111.', 'paid by ***.'],
    ['an API key', 'by raas_live_7RsAcEd3-kTqVb9xY.', 'by ***.'],
    ['a browser token', 'raas_browser_7RsAcEd3kTqVb9xY', '***'],
    ['a code of the console', '/console/#code=raas_code_7RsAcEd3kTqVb9xY', '/console/#code=***'],
    ['a webhook secret', 'whsec_acme_0001', '***'],
    ['one before further digits', '4111111111111111-1', '***'],
    ['one behind further digits', '1-4111-1111-1111-1111', '***'],
    ['one among the groups of a longer number', '2026.4111.1111.1111.1111.77', '***'],
    ['one in the middle of digits', '20261125411111111111111107', '***'],
    ['one of 15 digits in the middle of digits', '99378282246310005123', '***'],
    ['one of 12 digits as a group', 'x-501800000009-2', 'x-***'],
    ['one in the digits of another script', '４１１１１１１１１１１１１１１１', '***'],
    ['more digits than are looked through', '1'.repeat(65), '***'],
    [
      'one beside a UUID',
      '7f6f2b1e-4c1d-4a53-9f3e-2b6a1d9c8e7f 4111111111111111',
      '7f6f2b1e-4c1d-4a53-9f3e-2b6a1d9c8e7f ***',
    ],
  ])('hides %s', (_what, text, shown) => {
    expect(hideInLog(text)).toBe(shown);
    expect(isHiddenInLog(text)).toBe(true);
  });

  test.each([
    ['a number without a check digit', 'no card: 4111 1111 1111 1112'],
    ['times in milliseconds', 'req-1795248000009'],
    ['the digits of a UUID', '7f6f2b1e-4111-1111-1111-1111d9c8e7f0'],
    ['the digits of a trace id', 'a411111111111111100000000000000b'],
    ['fewer than 12 digits', '41111111111'],
    ['the prefix of a key', 'raas_live_7RsAc'],
  ])('leaves %s', (_what, text) => {
    expect(hideInLog(text)).toBe(text);
    expect(isHiddenInLog(text)).toBe(false);
  });

  test('leaves a thousand times in milliseconds', () => {
    const times = Array.from({ length: 1_000 }, (_, day) => `req-${Date.UTC(2026, 0, day, 12, 34, 56, 789)}`);
    expect(times.filter(isHiddenInLog)).toEqual([]);
  });

  test('takes no longer for hostile texts', () => {
    const before = process.cpuUsage().user;
    hideInLog(
      `${'4........'.repeat(7_000)}x${'411111111111111111111111'.repeat(4)}${`${'4'.repeat(60)}x`.repeat(500)}`,
    );
    expect(process.cpuUsage().user - before).toBeLessThan(2_000_000);
  });
});

test.each([
  ['/v1/request-money/AB12cd34', '/v1/request-money/AB12cd34'],
  ['/v1/request-money/4111111111111111', '/v1/request-money/***'],
  ['/v1/request-money/4111111111111111-1', '/v1/request-money/***'],
  ['/v1/request-money/4111-1111.1111_1111/x?y=z', '/v1/request-money/***/x'],
  ['/v1/request-money/4111/1111/1111/1111', '/v1/request-money/***'],
  ['/v1/request-money/4111%201111%201111%201111', '/v1/request-money/***'],
  ['/v1/request-money/order-4111111111111111', '/v1/request-money/order-***'],
  ['/partner/users/+5215512345678', '/partner/users/***'],
  ['/partner/users/%2B52%20155%201234%205678', '/partner/users/***'],
  ['/partner/users/5512345678', '/partner/users/***'],
  ['/partner/users/ana%40example.com', '/partner/users/***'],
  ['/partner/raas_live_7RsAcEd3kTqVb9xY/me', '/partner/***/me'],
  ['/v1/request-money/raas%5Fsandbox%5Facme_full', '/v1/request-money/***'],
  ['/partner/links/%E0%A4%A', '/partner/links/%E0%A4%A'],
  ['/v1/user/token-v2?phoneNumber=5215512345678', '/v1/user/token-v2'],
  ['/v1/user/operations/detail/7f6f2b1e-4c1d-4a53-9f3e-2b6a1d9c8e7f', null],
])('%s is logged as %s', (url, path) => {
  expect(maskPath(url)).toBe(path ?? url);
});
