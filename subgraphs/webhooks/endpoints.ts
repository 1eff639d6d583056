import type { AccountId } from '../kernel/account.ts';
import { isDuplicateKey } from '../kernel/database/transaction.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { type EndpointHealth, presentHealth } from './endpoint-health.ts';
import { type EndpointStateModel, type Hold, unknownEndpoint } from './endpoint-state.ts';
import type { PublicKey, SigningKeyOf } from './signing-key.ts';

/** The endpoints of partners, as deliveries name them: by a keyed digest of account and URL. */
export interface Endpoints {
  /** The endpoint of a URL, as deliveries name it. */
  identify(accountId: AccountId, url: string): string;
  /** The key that verifies Ed25519 signatures by a secret of the account. */
  publicKeyOf(accountId: AccountId, secret: string): PublicKey;
  /** An account's endpoints that had deliveries or were paused; or only those with these names. */
  health(accountId: AccountId, endpoints?: readonly string[]): Promise<EndpointHealth[]>;
  /**
   * Holds the endpoint's deliveries, new ones and retries, until it is resumed. Running attempts end normally; every process
   * knows within 2 seconds. A paused endpoint stays paused since its first pause. @returns undefined when the endpoint is
   * another account's
   */
  pause(accountId: AccountId, endpoint: string): Promise<EndpointHealth | undefined>;
  /**
   * Sends held deliveries, longest due first. An endpoint that is not paused stays as it is. @returns undefined when the
   * endpoint is another account's
   */
  resume(accountId: AccountId, endpoint: string): Promise<EndpointHealth | undefined>;
  /** Moves the pause of a URL that the account leaves in this transaction, if it is paused, to its new one; null: ends it. */
  movePause(accountId: AccountId, from: string, to: string | null, unit: UnitOfWork): Promise<void>;
  /** Removes the state of an endpoint that is deleted in this transaction, with what holds its deliveries: they become due. */
  forget(accountId: AccountId, endpoint: string, unit: UnitOfWork): void;
}

interface EndpointsDeps {
  states: EndpointStateModel;
  identify: (accountId: AccountId, url: string) => string;
  signingKeyOf: SigningKeyOf;
  clock: () => Date;
  /** Makes this process notice a change at once; others read it within 2 seconds. */
  onChange: () => void;
}

const PAUSED: Hold = 'PAUSED';

export function createEndpoints(deps: EndpointsDeps): Endpoints {
  const { states, identify, signingKeyOf, clock } = deps;
  return {
    identify,
    publicKeyOf: (accountId, secret) => {
      const { id, bytes } = signingKeyOf(accountId, secret);
      return { id, bytes };
    },
    health: async (accountId, endpoints) => {
      const found = await states
        .find({ accountId, ...(endpoints ? { _id: { $in: [...endpoints] } } : {}) })
        .lean();
      return found.map((state) => presentHealth(state, clock()));
    },
    pause: async (accountId, endpoint) => {
      await ensure(deps, accountId, endpoint);
      const paused = { at: clock() };
      await states.updateOne(
        { _id: endpoint, accountId, holds: { $ne: PAUSED } },
        { $set: { paused }, $addToSet: { holds: PAUSED } },
      );
      return changed(deps, accountId, endpoint);
    },
    resume: async (accountId, endpoint) => {
      await ensure(deps, accountId, endpoint);
      await states.updateOne(
        { _id: endpoint, accountId, holds: PAUSED },
        { $unset: { paused: 1 }, $pull: { holds: PAUSED } },
      );
      return changed(deps, accountId, endpoint);
    },
    movePause: (...args) => movePause(deps, ...args),
    forget: (accountId, endpoint, unit) => unit.remove(states, { _id: endpoint, accountId }),
  };
}

async function movePause(
  { states, identify, clock, onChange }: EndpointsDeps,
  accountId: AccountId,
  from: string,
  to: string | null,
  unit: UnitOfWork,
): Promise<void> {
  const former = identify(accountId, from);
  const next = to === null ? undefined : identify(accountId, to);
  const paused = await states
    .find({ _id: { $in: next === undefined ? [former] : [former, next] }, accountId, holds: PAUSED })
    .select({ _id: 1 })
    .session(unit.session)
    .lean();
  const isPaused = (endpoint: string) => paused.some(({ _id }) => _id === endpoint);
  if (!isPaused(former)) {
    return;
  }
  unit.update(states, {
    filter: { _id: former, accountId },
    update: { $unset: { paused: 1 }, $pull: { holds: PAUSED } },
  });
  if (next !== undefined && !isPaused(next)) {
    const { breaker } = unknownEndpoint(accountId, clock());
    unit.upsert(states, {
      filter: { _id: next, accountId },
      update: {
        $setOnInsert: { breaker },
        $set: { paused: { at: clock() } },
        $addToSet: { holds: PAUSED },
      },
    });
  }
  unit.onEnd((committed) => void (committed && onChange()));
}

/** An endpoint can be paused before anything is sent to it. */
async function ensure(
  { states, clock }: EndpointsDeps,
  accountId: AccountId,
  endpoint: string,
): Promise<void> {
  try {
    await states.updateOne(
      { _id: endpoint, accountId },
      { $setOnInsert: unknownEndpoint(accountId, clock()) },
      { upsert: true },
    );
  } catch (error) {
    // Another process was faster, or it is another account's endpoint: the next step changes only the account's own.
    if (!isDuplicateKey(error)) {
      throw error;
    }
  }
}

async function changed(
  { states, clock, onChange }: EndpointsDeps,
  accountId: AccountId,
  endpoint: string,
): Promise<EndpointHealth | undefined> {
  const state = await states.findOne({ _id: endpoint, accountId }).lean();
  if (!state) {
    return undefined;
  }
  onChange();
  return presentHealth(state, clock());
}
