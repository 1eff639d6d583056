import { isDuplicateKey } from '../kernel/database/transaction.ts';
import { type EndpointHealth, presentHealth } from './endpoint-health.ts';
import { type EndpointStateModel, type Hold, unknownEndpoint } from './endpoint-state.ts';

/** The endpoints of partners, as deliveries name them: by a keyed digest of tenant and URL. */
export interface Endpoints {
  /** The endpoint of a URL, as deliveries name it. */
  identify(tenantId: string, url: string): string;
  /** A tenant's endpoints that had deliveries or were paused; or only those with these names. */
  health(tenantId: string, endpoints?: readonly string[]): Promise<EndpointHealth[]>;
  /**
   * Holds the endpoint's deliveries, new ones and retries, until it is resumed. Running attempts end normally; every process
   * knows within 2 seconds. A paused endpoint stays paused since its first pause. @returns undefined when the endpoint is
   * another tenant's
   */
  pause(tenantId: string, endpoint: string): Promise<EndpointHealth | undefined>;
  /**
   * Sends held deliveries, longest due first. An endpoint that is not paused stays as it is. @returns undefined when the
   * endpoint is another tenant's
   */
  resume(tenantId: string, endpoint: string): Promise<EndpointHealth | undefined>;
}

export interface EndpointsDeps {
  states: EndpointStateModel;
  identify: (tenantId: string, url: string) => string;
  clock: () => Date;
  /** Makes this process notice a change at once; others read it within 2 seconds. */
  onChange: () => void;
}

const PAUSED: Hold = 'PAUSED';

export function createEndpoints(deps: EndpointsDeps): Endpoints {
  const { states, identify, clock } = deps;
  return {
    identify,
    health: async (tenantId, endpoints) => {
      const found = await states
        .find({ tenantId, ...(endpoints ? { _id: { $in: [...endpoints] } } : {}) })
        .lean();
      return found.map((state) => presentHealth(state, clock()));
    },
    pause: async (tenantId, endpoint) => {
      await ensure(deps, tenantId, endpoint);
      const paused = { at: clock() };
      await states.updateOne(
        { _id: endpoint, tenantId, holds: { $ne: PAUSED } },
        { $set: { paused }, $addToSet: { holds: PAUSED } },
      );
      return changed(deps, tenantId, endpoint);
    },
    resume: async (tenantId, endpoint) => {
      await ensure(deps, tenantId, endpoint);
      await states.updateOne(
        { _id: endpoint, tenantId, holds: PAUSED },
        { $unset: { paused: 1 }, $pull: { holds: PAUSED } },
      );
      return changed(deps, tenantId, endpoint);
    },
  };
}

/** An endpoint can be paused before anything is sent to it. */
async function ensure({ states, clock }: EndpointsDeps, tenantId: string, endpoint: string): Promise<void> {
  try {
    await states.updateOne(
      { _id: endpoint, tenantId },
      { $setOnInsert: unknownEndpoint(tenantId, clock()) },
      { upsert: true },
    );
  } catch (error) {
    // Another process was faster, or it is another tenant's endpoint: the next step changes only the tenant's own.
    if (!isDuplicateKey(error)) {
      throw error;
    }
  }
}

async function changed(
  { states, clock, onChange }: EndpointsDeps,
  tenantId: string,
  endpoint: string,
): Promise<EndpointHealth | undefined> {
  const state = await states.findOne({ _id: endpoint, tenantId }).lean();
  if (!state) {
    return undefined;
  }
  onChange();
  return presentHealth(state, clock());
}
