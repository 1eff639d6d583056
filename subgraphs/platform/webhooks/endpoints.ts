import { isDuplicateKey } from '../database/transaction.ts';
import { type EndpointHealth, presentHealth } from './endpoint-health.ts';
import { type EndpointStateModel, type Hold, unknownEndpoint } from './endpoint-state.ts';

/** The endpoints of partners, as their deliveries have them: known by a keyed digest of tenant and URL. */
export interface Endpoints {
  /** The endpoint of a URL, as deliveries name it. */
  identify(tenantId: string, url: string): string;
  /** Those of a tenant's endpoints that anything was sent to or that were paused, or some of them by name. */
  health(tenantId: string, endpoints?: readonly string[]): Promise<EndpointHealth[]>;
  /**
   * Keeps the endpoint's deliveries, new ones and retries, until it is resumed. What is being sent ends as it does; every
   * process knows within 2 seconds. One that is paused stays so since then.
   * @returns undefined when the endpoint is another tenant's
   */
  pause(tenantId: string, endpoint: string): Promise<EndpointHealth | undefined>;
  /**
   * Sends what was kept, longest due first. One that is not paused stays as it is.
   * @returns undefined when the endpoint is another tenant's
   */
  resume(tenantId: string, endpoint: string): Promise<EndpointHealth | undefined>;
}

export interface EndpointsDeps {
  states: EndpointStateModel;
  identify: (tenantId: string, url: string) => string;
  clock: () => Date;
  /** Has this process take note of a change at once; others read it within 2 seconds. */
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
    // Another process was quicker, or it is another tenant's: what follows changes the tenant's own only.
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
