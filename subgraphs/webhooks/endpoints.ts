import type { AccountId } from '../kernel/account.ts';
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
   * Holds the endpoint's deliveries, new ones and retries, from this transaction until it is resumed. Running attempts end normally;
   * every process knows within 2 seconds. A paused endpoint stays paused since its first pause.
   */
  pause(accountId: AccountId, endpoint: string, unit: UnitOfWork): Promise<void>;
  /** Sends held deliveries after this transaction, longest due first. An endpoint that is not paused stays as it is. */
  resume(accountId: AccountId, endpoint: string, unit: UnitOfWork): Promise<void>;
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
    pause: (...args) => pause(deps, ...args),
    resume: async (...args) => void (await resume(deps, ...args)),
    movePause: (...args) => movePause(deps, ...args),
    forget: (accountId, endpoint, unit) => unit.remove(states, { _id: endpoint, accountId }),
  };
}

/** An endpoint can be paused before anything is sent to it. */
async function pause(
  deps: EndpointsDeps,
  accountId: AccountId,
  endpoint: string,
  unit: UnitOfWork,
): Promise<void> {
  if (await isPaused(deps, accountId, endpoint, unit)) {
    return;
  }
  const { states, clock } = deps;
  const { breaker } = unknownEndpoint(accountId, clock());
  unit.upsert(states, {
    filter: { _id: endpoint, accountId },
    update: {
      $setOnInsert: { breaker },
      $set: { paused: { at: clock() } },
      $addToSet: { holds: PAUSED },
    },
  });
  notice(deps, unit);
}

/** @returns whether it was paused */
async function resume(
  deps: EndpointsDeps,
  accountId: AccountId,
  endpoint: string,
  unit: UnitOfWork,
): Promise<boolean> {
  if (!(await isPaused(deps, accountId, endpoint, unit))) {
    return false;
  }
  unit.update(deps.states, {
    filter: { _id: endpoint, accountId },
    update: { $unset: { paused: 1 }, $pull: { holds: PAUSED } },
  });
  notice(deps, unit);
  return true;
}

async function movePause(
  deps: EndpointsDeps,
  accountId: AccountId,
  from: string,
  to: string | null,
  unit: UnitOfWork,
): Promise<void> {
  const isMoved = await resume(deps, accountId, deps.identify(accountId, from), unit);
  if (isMoved && to !== null) {
    await pause(deps, accountId, deps.identify(accountId, to), unit);
  }
}

async function isPaused(
  { states }: EndpointsDeps,
  accountId: AccountId,
  endpoint: string,
  unit: UnitOfWork,
): Promise<boolean> {
  const state = await states.findOne({ _id: endpoint, accountId }).session(unit.session).lean();
  return state?.holds.includes(PAUSED) ?? false;
}

function notice({ onChange }: EndpointsDeps, unit: UnitOfWork): void {
  unit.onEnd((committed) => void (committed && onChange()));
}
