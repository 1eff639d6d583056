import { SHARED_SERVER, type SharedTestServer } from './support/test-database.ts';

/** After the last test file of a run: stops the store that `global-setup.ts` started. */
export default async function globalTeardown(): Promise<void> {
  const store: SharedTestServer | undefined = Reflect.get(globalThis, SHARED_SERVER);
  await store?.stop();
}
