import type { Model } from 'mongoose';
import { createClaims } from '../../platform/work/claim.ts';
import { createSlots } from '../../platform/work/slots.ts';
import { createWorker, type Worker } from '../../platform/work/worker.ts';
import type { PipelineDeps, PipelineSettings } from './deps.ts';
import type { Phase } from './lifecycle.ts';
import type { RemittanceDocument } from './store/model.ts';
import { type PhaseFigures, readPhaseFigures } from './store/phase-figures.ts';
import { type StepCounts, work } from './use-cases/perform-phase.ts';

/** What is known of the pipeline, for metrics. */
export interface PipelineStats {
  /** Of all processes, by phase. */
  readonly phases: Readonly<Record<Phase, PhaseFigures>>;
  /** Of this process; `inFlight`: steps under way. */
  readonly steps: Readonly<StepCounts & { inFlight: number }>;
}

/** Carries accepted atomic calls through their phases. */
export interface PipelineWorker {
  /** Does nothing before its start; something else calls `sweep` every `PIPELINE_SWEEP_SECONDS`. */
  readonly worker: Worker;
  /** Reads the database; throws when it cannot be reached. */
  stats(): Promise<PipelineStats>;
}

/** Remittances under way in a process; a tenant gets a quarter of them. */
const SLOTS = 32;
/** The whole queue is one partition: what saturates a provider is bounded by tenant. */
const LANE = 0;
const STOP_GRACE_SECONDS = 5;

export function createPipelineWorker(
  deps: PipelineDeps & { settings: PipelineSettings },
  model: Model<RemittanceDocument>,
): PipelineWorker {
  const counts = noCounts();
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
    work: (claimed, signal) => work({ ...deps, counts }, claimed, signal),
    log: deps.log,
    name: 'pipeline',
    stopGraceMs: (deps.settings.stopGraceSeconds ?? STOP_GRACE_SECONDS) * 1000,
  });
  return {
    worker,
    stats: async () => ({
      phases: await readPhaseFigures(model, deps.clock()),
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
