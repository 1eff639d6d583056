import { expect, test } from '@jest/globals';
import { createAccountQuota } from './account-quota.ts';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';

interface Item {
  readonly owner: string;
  readonly place: string;
}

const create = (mostOf: (item: Item) => number = () => 2) =>
  createConcurrencyLimiter<Item, 'owner' | 'place'>({
    total: 4,
    quotas: {
      owner: { most: 3, key: ({ owner }) => owner },
      place: { most: mostOf, key: ({ place }) => place },
    },
  });

const item = (owner = 'a', place = 'x'): Item => ({ owner, place });

test('an item has to fit into every quota and into the whole', () => {
  const limiter = create();
  const begun = [item(), item(), item('a', 'y')];
  expect(begun.map(limiter.acquire)).toEqual([true, true, true]);
  expect(limiter.acquire(item('b', 'x'))).toBe(false);
  expect(limiter.acquire(item('a', 'z'))).toBe(false);
  expect(limiter.acquire(item('b', 'y'))).toBe(true);
  expect(limiter.acquire(item('c', 'z'))).toBe(false);
  expect(limiter.free()).toBe(0);
  expect(limiter.atQuota('owner').map(({ owner }) => owner)).toEqual(['a']);
});

test('a bound may change, below what has begun too', () => {
  let most = 2;
  const limiter = create(() => most);
  const [one, two] = [item(), item()];
  expect([one, two].map(limiter.acquire)).toEqual([true, true]);
  most = 1;
  expect(limiter.room(item(), 'place')).toBe(-1);
  limiter.release(one);
  expect(limiter.acquire(item())).toBe(false);
  limiter.release(two);
  expect(limiter.acquire(item())).toBe(true);
});

test('a delivery that leaves a quota makes room there only, once, and its release counts for the rest', () => {
  const limiter = create();
  const [one, two] = [item(), item()];
  expect([one, two].map(limiter.acquire)).toEqual([true, true]);
  limiter.leave(one, 'place');
  limiter.leave(one, 'place');
  expect(limiter.room(item(), 'place')).toBe(1);
  expect(limiter.room(item(), 'owner')).toBe(1);
  expect(limiter.free()).toBe(2);
  limiter.release(one);
  limiter.release(two);
  expect([limiter.room(item(), 'place'), limiter.room(item(), 'owner'), limiter.free()]).toEqual([2, 3, 4]);
});

test('a tenant has a quota in each environment, and a used-up one excludes only that environment', () => {
  const { limiter, withoutSaturated } = createAccountQuota({ total: 4, most: 1 });
  expect(withoutSaturated()).toBeUndefined();
  const sandbox = { accountId: 'acme/sandbox' } as const;
  expect(limiter.acquire(sandbox)).toBe(true);
  expect(limiter.acquire({ ...sandbox })).toBe(false);
  expect(withoutSaturated()).toEqual({ accountId: { $nin: ['acme/sandbox'] } });
  expect(limiter.acquire({ accountId: 'acme/live' })).toBe(true);
});
