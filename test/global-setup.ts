import {
  SHARED_STORE,
  startSharedTestStore,
  TEMPORARY_STORE_VARIABLE,
  TEST_URI_VARIABLE,
} from '../subgraphs/dev-store/testing.ts';

/** Before the first test file of a run: starts the store that they share. Each takes a database of its own. */
export default async function globalSetup(): Promise<void> {
  const store = await startSharedTestStore();
  process.env[TEST_URI_VARIABLE] = store.uri;
  process.env[TEMPORARY_STORE_VARIABLE] = String(store.temporary);
  Reflect.set(globalThis, SHARED_STORE, store);
  process.stderr.write(`Tests run on ${store.description}\n`);
}
