import { expect, test } from '@jest/globals';
import { createRunStores } from './run-stores.ts';

/** Servers that only count. */
function bench({ temporary }: { readonly temporary: boolean }) {
  const running: number[] = [];
  let started = 0;
  const stores = createRunStores(async () => {
    started += 1;
    const number = started;
    running.push(number);
    return {
      uri: `mongodb://store-${number}`,
      description: 'a store',
      temporary,
      stop: async () => {
        running.splice(running.indexOf(number), 1);
      },
    };
  });
  return { stores, running };
}

test('should start one store for each worker that needs one, once, and stop all', async () => {
  const { stores, running } = bench({ temporary: true });
  expect(await stores.variablesFor(1)).toEqual({
    TEST_MONGODB_URI: 'mongodb://store-1',
    TEST_STORE_IS_TEMPORARY: 'true',
  });
  const both = await Promise.all([stores.of(2), stores.of(2), stores.of(1)]);
  expect(both.map(({ uri }) => uri)).toEqual(['mongodb://store-2', 'mongodb://store-2', 'mongodb://store-1']);
  expect(running).toEqual([1, 2]);
  await stores.stop();
  expect(running).toEqual([]);
});

test('should give all workers the server that the environment names', async () => {
  const { stores, running } = bench({ temporary: false });
  const uris = await Promise.all([1, 2].map(async (id) => (await stores.variablesFor(id)).TEST_MONGODB_URI));
  expect(uris).toEqual(['mongodb://store-1', 'mongodb://store-1']);
  expect(running).toEqual([1]);
  await stores.stop();
  expect(running).toEqual([]);
});
