import { expect, test } from '@jest/globals';
import { maskCards, maskPath } from './mask-numbers.ts';

test.each([
  ['/v1/request-money/AB12cd34', '/v1/request-money/AB12cd34'],
  ['/v1/request-money/4111111111111111', '/v1/request-money/***'],
  ['/v1/request-money/4111-1111.1111_1111/x?y=z', '/v1/request-money/***/x'],
  ['/v1/request-money/4111%201111%201111%201111', '/v1/request-money/***'],
  ['/v1/request-money/order-4111111111111111', '/v1/request-money/order-***'],
  ['/partner/users/+5215512345678', '/partner/users/***'],
  ['/partner/users/%2B52%20155%201234%205678', '/partner/users/***'],
  ['/partner/users/5512345678', '/partner/users/***'],
  ['/partner/users/ana%40example.com', '/partner/users/***'],
  ['/partner/links/%E0%A4%A', '/partner/links/%E0%A4%A'],
  ['/v1/user/token-v2?phoneNumber=5215512345678', '/v1/user/token-v2'],
  ['/v1/user/operations/detail/7f6f2b1e-4c1d-4a53-9f3e-2b6a1d9c8e7f', null],
])('%s is logged as %s', (url, path) => {
  expect(maskPath(url)).toBe(path ?? url);
});

test.each([
  ['paid by 4111 1111 1111 1111.', 'paid by ***.'],
  ['no card: 4111 1111 1111 1112', 'no card: 4111 1111 1111 1112'],
])('%s is shown as %s', (text, shown) => {
  expect(maskCards(text)).toBe(shown);
});
