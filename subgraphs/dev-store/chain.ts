import { DatabaseError } from '../kernel/database/database-error.ts';
import type { StoreOwner } from './owner.ts';
import type { Provider, ProviderContext, Provision, StoreServer } from './provider.ts';

/** The provider that could start a server, and the server. */
export interface StartedStore {
  readonly provider: Provider;
  readonly server: StoreServer;
}

interface Attempt {
  readonly provider: Pick<Provider, 'name' | 'howToGet'>;
  readonly reason: string;
}

/** A step before all providers that was not available. */
const NO_CLUSTER: Attempt = {
  provider: {
    name: 'MONGODB_URI',
    howToGet: 'Set MONGODB_URI to a MongoDB replica set or sharded cluster; production needs this.',
  },
  reason: 'it is not set',
};

/**
 * Tries `providers` in order and takes the first that runs.
 *
 * A step that this machine cannot offer is passed over. One that is there but broken is passed over only while
 * `DATA_DIR` is empty. Once it does (`owner`), only providers that can open that data are tried, and a broken
 * one stops the start: writing on in an empty store of another kind would look like the loss of all data.
 *
 * @throws DatabaseError naming every step tried, why it failed and how to get it
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
    if (!(error instanceof DatabaseError)) {
      throw error;
    }
    if (owner !== undefined) {
      throw new DatabaseError(
        `${provider.name} cannot open the data in ${context.layout.root}, kept since ${owner.since} by ` +
          `${owner.description}: ${error.message}`,
      );
    }
    context.log.warn({ reason: error.message }, `${provider.name} does not work; trying the next store`);
    return { status: 'unavailable', reason: `it does not work: ${error.message}` };
  }
}

function noStore(attempts: readonly Attempt[]): DatabaseError {
  return new DatabaseError(
    ['There is no store to run on. Tried, in this order:', ...list([NO_CLUSTER, ...attempts])].join('\n'),
  );
}

function ownerGone(attempts: readonly Attempt[], owner: StoreOwner, root: string): DatabaseError {
  return new DatabaseError(
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
