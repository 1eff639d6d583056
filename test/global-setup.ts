import {
  SHARED_SERVER,
  startSharedTestServer,
  TEMPORARY_SERVER_VARIABLE,
  TEST_URI_VARIABLE,
} from './support/test-database.ts';

/** Before the first test file of a run: starts the store that they share. Each takes a database of its own. */
export default async function globalSetup(): Promise<void> {
  const store = await startSharedTestServer();
  process.env[TEST_URI_VARIABLE] = store.uri;
  process.env[TEMPORARY_SERVER_VARIABLE] = String(store.temporary);
  Reflect.set(globalThis, SHARED_SERVER, store);
  process.stderr.write(`Tests run on ${store.description}\n`);
}
