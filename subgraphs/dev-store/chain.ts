import { StoreError } from '../platform/database/types.ts';
import type { StoreOwner } from './owner.ts';
import type { Provider, ProviderContext, Provision, StoreServer } from './provider.ts';

/** The step that came to a store, and the server it runs on. */
export interface StartedStore {
  readonly provider: Provider;
  readonly server: StoreServer;
}

interface Attempt {
  readonly provider: Provider;
  readonly reason: string;
}

/**
 * Tries `providers` in order and takes the first that runs.
 *
 * A step that this machine cannot offer is passed over. One that is there but broken is passed over only while
 * `DATA_DIR` holds nobody's data. Once it does (`owner`), only providers that can open that data are tried, and a broken
 * one stops the start: writing on in an empty store of another kind would look like the loss of all data.
 *
 * @throws StoreError naming every step tried, why it failed and how to get it
 */
export async function startFirst(
  providers: readonly Provider[],
  context: ProviderContext,
  owner: StoreOwner | undefined,
): Promise<StartedStore> {
  const candidates = providers.filter(({ format }) => owner === undefined || format === owner.format);
  const attempts: Attempt[] = [];
  for (const provider of candidates) {
    const provision = await provide(provider, context, owner);
    if (provision.status === 'running') {
      return { provider, server: provision.server };
    }
    attempts.push({ provider, reason: provision.reason });
  }
  throw owner === undefined ? noStore(attempts) : ownerGone(attempts, owner, context.layout.root);
}

async function provide(
  provider: Provider,
  context: ProviderContext,
  owner: StoreOwner | undefined,
): Promise<Provision> {
  try {
    return await provider.provide(context);
  } catch (error) {
    if (!(error instanceof StoreError)) {
      throw error;
    }
    if (owner !== undefined) {
      throw new StoreError(
        `${provider.name} cannot open the data in ${context.layout.root}, kept since ${owner.since} by ` +
          `${owner.description}: ${error.message}`,
      );
    }
    context.log.warn({ reason: error.message }, `${provider.name} does not work; trying the next store`);
    return { status: 'unavailable', reason: `it does not work: ${error.message}` };
  }
}

function noStore(attempts: readonly Attempt[]): StoreError {
  return new StoreError(['There is no store to run on. Tried, in this order:', ...list(attempts)].join('\n'));
}

function ownerGone(attempts: readonly Attempt[], owner: StoreOwner, root: string): StoreError {
  return new StoreError(
    [
      `${root} holds data kept since ${owner.since} by ${owner.description}, which is not to be had any more:`,
      ...list(attempts),
      `To start afresh instead, without that data, move ${root} away.`,
    ].join('\n'),
  );
}

function list(attempts: readonly Attempt[]): string[] {
  return attempts.map(
    ({ provider, reason }, index) => `  ${index + 1}. ${provider.name}: ${reason}. ${provider.howToGet}`,
  );
}
