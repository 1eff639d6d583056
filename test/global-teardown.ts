import { SHARED_STORE, type SharedTestStore } from '../subgraphs/dev-store/testing.ts';

/** After the last test file of a run: stops the store that `global-setup.ts` started. */
export default async function globalTeardown(): Promise<void> {
  const store: SharedTestStore | undefined = Reflect.get(globalThis, SHARED_STORE);
  await store?.stop();
}
