import { expect, test } from '@jest/globals';
import { eachItem } from './pages.ts';

/** A list of pages, and the numbers of those that were read. */
function listOf(pages: string[][]) {
  const read: number[] = [];
  const readPage = async (page: number) => {
    read.push(page);
    return { data: { items: pages[page - 1] ?? [], pagination: { totalPages: pages.length } } };
  };
  return { read, items: eachItem(readPage) };
}

const all = async (items: AsyncIterable<string>) => {
  const found: string[] = [];
  for await (const item of items) {
    found.push(item);
  }
  return found;
};

test('all items of all pages come in their order', async () => {
  const { read, items } = listOf([['a', 'b'], ['c']]);
  expect([await all(items), read]).toEqual([
    ['a', 'b', 'c'],
    [1, 2],
  ]);
});

test('an empty list has one page to read', async () => {
  const { read, items } = listOf([]);
  expect([await all(items), read]).toEqual([[], [1]]);
});

test('a page is read only when the caller gets to it', async () => {
  const { read, items } = listOf([['a'], ['b'], ['c']]);
  for await (const item of items) {
    if (item === 'b') {
      break;
    }
  }
  expect(read).toEqual([1, 2]);
});

test('a page that fails ends the iteration with its error', async () => {
  const items = eachItem<string>(() => Promise.reject(new Error('broken')));
  await expect(all(items)).rejects.toThrow('broken');
});
