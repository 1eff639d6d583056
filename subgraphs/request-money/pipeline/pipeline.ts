import type { Connection as StoreConnection } from 'mongoose';
import type { Result } from '../../platform/errors/result.ts';
import type { Connection } from '../../platform/graphql/connection.ts';
import type { Page } from '../../platform/graphql/paginate.ts';
import type { Principal } from '../../platform/principal.ts';
import { createClaims } from '../../platform/work/claim.ts';
import { createSlots } from '../../platform/work/slots.ts';
import { createWorker, type Worker } from '../../platform/work/worker.ts';
import type { PipelineDeps, PipelineSettings } from './deps.ts';
import { type PhaseFigures, readFigures } from './figures.ts';
import type { Listing } from './graphql/listing.ts';
import type { Phase } from './lifecycle.ts';
import { createRemittanceModel, type RemittanceDocument } from './store/model.ts';
import { createRemittanceStore } from './store/remittance-store.ts';
import { acceptRequest } from './use-cases/accept-request.ts';
import { type StepCounts, type WorkDeps, work } from './use-cases/perform-phase.ts';

/** Atomic calls: their acceptance, and what is known of them. Everything is confined to the principal's tenant. */
export interface RemittanceService {
  /** Refusals: those of {@link acceptRequest}. The worker of this process, if it runs, begins at once. */
  accept(principal: Principal, body: unknown): Promise<Result<RemittanceDocument>>;
  findByIds(
    principal: Principal,
    correlationIds: readonly string[],
  ): Promise<Map<string, RemittanceDocument>>;
  list(principal: Principal, listing: Listing, page: Page): Promise<Connection<RemittanceDocument>>;
  /** The present time, which decides what is stuck. */
  now(): Date;
}

export interface PipelineStats {
  /** Of all processes, by phase. */
  readonly phases: Readonly<Record<Phase, PhaseFigures>>;
  /** Of this process; `inFlight`: steps under way. */
  readonly steps: Readonly<StepCounts & { inFlight: number }>;
}

export interface Pipeline extends RemittanceService {
  /** Does nothing before its start; something else calls `sweep` every `PIPELINE_SWEEP_SECONDS`. */
  readonly worker: Worker;
  /** Reads the store; throws when it cannot be reached. */
  stats(): Promise<PipelineStats>;
}

/** Remittances under way in a process; a tenant gets a quarter of them. */
const SLOTS = 32;
/** The whole queue is one lane: what saturates a provider is bounded by tenant. */
const LANE = 0;
const STOP_GRACE_SECONDS = 5;

export function createPipeline(
  deps: Omit<PipelineDeps, 'remittances'> & { connection: StoreConnection; settings: PipelineSettings },
): Pipeline {
  const model = createRemittanceModel(deps.connection);
  const counts = noCounts();
  const slice: WorkDeps = { ...deps, remittances: createRemittanceStore(model), counts };
  const slots = createTenantSlots();
  const worker = createWorker<RemittanceDocument>({
    claims: createClaims<RemittanceDocument, TenantUser>({
      model,
      open: { status: 'IN_PROGRESS' },
      userFields: ['tenantId'],
      inLane: () => ({}),
      laneOf: () => LANE,
      withoutSaturated: () => {
        const tenants = slots.saturated('tenant').map(({ tenantId }) => tenantId);
        return tenants.length === 0 ? undefined : { tenantId: { $nin: tenants } };
      },
      slots,
      clock: deps.clock,
      leaseMs: deps.settings.leaseSeconds * 1000,
    }),
    slots,
    lanes: [LANE],
    work: (claimed, signal) => work(slice, claimed, signal),
    log: deps.log,
    name: 'pipeline',
    stopGraceMs: (deps.settings.stopGraceSeconds ?? STOP_GRACE_SECONDS) * 1000,
  });
  return {
    worker,
    accept: async (principal, body) => {
      const accepted = await acceptRequest(slice, principal, body);
      if (accepted.ok) {
        worker.wake([accepted.value._id]);
      }
      return accepted;
    },
    findByIds: ({ tenantId }, ids) => slice.remittances.findMany(tenantId, ids),
    list: ({ tenantId }, listing, page) => slice.remittances.list(tenantId, listing, page),
    now: deps.clock,
    stats: async () => ({
      phases: await readFigures(model, deps.clock()),
      steps: { ...counts, inFlight: SLOTS - slots.free() },
    }),
  };
}

type TenantUser = Pick<RemittanceDocument, 'tenantId'>;

function createTenantSlots() {
  return createSlots<TenantUser, 'tenant'>({
    total: SLOTS,
    shares: { tenant: { most: SLOTS / 4, key: ({ tenantId }) => tenantId } },
  });
}

function noCounts(): StepCounts {
  return {
    advanced: 0,
    succeeded: 0,
    failed: 0,
    retried: 0,
    poisoned: 0,
    released: 0,
    stale: 0,
    unrecorded: 0,
  };
}
