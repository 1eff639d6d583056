import { beforeEach, expect, test } from '@jest/globals';
import type { AccountId } from '../account.ts';
import { shareReads } from './shared-reads.ts';

const STORED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'acme/sandbox': { a: 'acme a', b: 'acme b' },
  'globex/sandbox': { a: 'globex a' },
};

const reads: (readonly [accountId: AccountId, keys: readonly string[]])[] = [];
let failNext = false;
const find = shareReads(async (accountId, keys) => {
  reads.push([accountId, keys]);
  if (failNext) {
    failNext = false;
    throw new Error('away');
  }
  const stored = new Map(Object.entries(STORED[accountId] ?? {}));
  return new Map([...stored].filter(([key]) => keys.includes(key)));
});

beforeEach(() => {
  reads.length = 0;
});

test('reads of one turn are one, which has each key once, and each call gets its own', async () => {
  const found = await Promise.all(['a', 'b', 'unknown', 'a'].map((key) => find('acme/sandbox', key)));
  expect(found).toEqual(['acme a', 'acme b', undefined, 'acme a']);
  expect(reads).toEqual([['acme/sandbox', ['a', 'b', 'unknown']]]);
});

test('tenants share no read, and none gets what another calls the same', async () => {
  const found = await Promise.all([
    find('acme/sandbox', 'a'),
    find('globex/sandbox', 'a'),
    find('globex/sandbox', 'b'),
  ]);
  expect(found).toEqual(['acme a', 'globex a', undefined]);
  expect(reads).toEqual([
    ['acme/sandbox', ['a']],
    ['globex/sandbox', ['a', 'b']],
  ]);
});

test('results are not kept', async () => {
  await find('acme/sandbox', 'a');
  await find('acme/sandbox', 'a');
  expect(reads).toHaveLength(2);
});

test('a call that comes while a read runs begins another', async () => {
  let later: Promise<string | undefined> | undefined;
  const slow = shareReads(async (accountId, keys) => {
    reads.push([accountId, keys]);
    later ??= slow('acme/sandbox', 'a');
    return new Map([['a', `read ${reads.length}`]]);
  });
  expect(await slow('acme/sandbox', 'a')).toBe('read 1');
  expect(await later).toBe('read 2');
});

test('a read that fails fails its own calls alone', async () => {
  failNext = true;
  const failed = await Promise.allSettled([find('acme/sandbox', 'a'), find('acme/sandbox', 'b')]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await find('acme/sandbox', 'a')).toBe('acme a');
});

test('a read has 100 keys at most; the next begins another', async () => {
  const keys = Array.from({ length: 101 }, (_, index) => `key ${index}`);
  await Promise.all([...keys, 'key 0', 'key 100'].map((key) => find('acme/sandbox', key)));
  expect(reads).toEqual([
    ['acme/sandbox', keys.slice(0, 100)],
    ['acme/sandbox', ['key 100', 'key 0']],
  ]);
});
