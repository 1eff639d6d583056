import { expect, test } from '@jest/globals';
import { findOutOfOrder } from './in-order.ts';

const post = (entity: string, place: number, accepted = true) => ({ entity, place, accepted });

test('posts of an entity are in order when each comes behind the success of the one before it', () => {
  const posts = [post('a', 0, false), post('b', 0), post('a', 0), post('b', 1), post('a', 1), post('a', 0)];
  expect(findOutOfOrder(posts)).toEqual([]);
});

test('a post is out of order behind one that was not accepted, and behind none at all', () => {
  expect(findOutOfOrder([post('a', 0, false), post('a', 1), post('a', 0)])).toEqual([
    'a: delivery 1 was posted before delivery 0 was accepted',
  ]);
  expect(findOutOfOrder([post('b', 2)])).toEqual(['b: delivery 2 was posted before delivery 0 was accepted']);
});
