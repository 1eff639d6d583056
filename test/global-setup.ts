import { STORES } from './runner/protocol.ts';
import { createRunStores } from './support/run-stores.ts';

/** Before the first test file of a run: starts a store. The runner starts one more for each other worker process. */
export default async function globalSetup(): Promise<void> {
  const stores = createRunStores();
  const { description } = await stores.of(1);
  Reflect.set(globalThis, STORES, stores);
  process.stderr.write(`Tests run on ${description}\n`);
}
