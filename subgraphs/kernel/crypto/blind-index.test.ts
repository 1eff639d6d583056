import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createBlindIndex } from './blind-index.ts';

const KEY = Buffer.alloc(32, 7);
const index = createBlindIndex(KEY);
const PHONE = ['acme/live', 'phone', '+525512345678'] as const;

test('is the HMAC-SHA256 of tenant, field and value, URL-safe', () => {
  const expected = createHmac('sha256', KEY)
    .update('["acme/live","phone","+525512345678"]')
    .digest('base64url');
  expect(index.digest(...PHONE)).toBe(expected);
  expect(expected).toMatch(/^[\w-]{43}$/);
});

test('finds equal values again', () => {
  expect(createBlindIndex(Buffer.from(KEY)).digest(...PHONE)).toBe(index.digest(...PHONE));
});

test.each([
  ['value', ['acme/live', 'phone', '+525512345679']],
  ['field', ['acme/live', 'email', '+525512345678']],
  ['tenant', ['globex/live', 'phone', '+525512345678']],
  ['cut between field and value', ['acme/live', 'phone+', '525512345678']],
  ['cut by a separator within', ['acme","phone/live', '', '+525512345678']],
] as const)('differs by %s', (_what, parts) => {
  expect(index.digest(parts[0], parts[1], parts[2])).not.toBe(index.digest(...PHONE));
});

test('differs by key', () => {
  expect(createBlindIndex(Buffer.alloc(32, 8)).digest(...PHONE)).not.toBe(index.digest(...PHONE));
});
