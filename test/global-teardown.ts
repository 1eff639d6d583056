import { STORES } from './runner/protocol.ts';
import type { RunStores } from './support/run-stores.ts';

/** After the last test file of a run: stops its stores. */
export default async function globalTeardown(): Promise<void> {
  const stores: RunStores | undefined = Reflect.get(globalThis, STORES);
  await stores?.stop();
}
