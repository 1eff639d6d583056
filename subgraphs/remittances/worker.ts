import type { Model } from 'mongoose';
import type { AccountId } from '../kernel/account.ts';
import { type AskedFigures, readAskedFigures } from '../providers/withdrawal-figures.ts';
import { type AccountItem, createAccountQuota } from '../runtime/work/account-quota.ts';
import { createAttempts } from '../runtime/work/attempt.ts';
import { bringBack } from '../runtime/work/bring-back.ts';
import { createClaims } from '../runtime/work/claim.ts';
import { longestDelayMs } from '../runtime/work/retry-schedule.ts';
import type { WorkSource } from '../runtime/work/work-listener.ts';
import { createWorker, type Worker } from '../runtime/work/worker.ts';
import type { Phase } from './lifecycle.ts';
import type { RemittanceDocument } from './store/model.ts';
import {
  type PhaseFigures,
  readPhaseFigures,
  readTenantProgress,
  type TenantProgress,
} from './store/phase-figures.ts';
import { remittanceId } from './store/remittance-repository.ts';
import type { WorkDeps } from './use-cases/call-phase.ts';
import { createPhaseJob } from './use-cases/perform-phase.ts';
import type { StepCounts } from './use-cases/step-result.ts';

interface PipelineStats {
  /** Figures of all processes, by phase. */
  readonly phases: Readonly<Record<Phase, PhaseFigures>>;
  /** Remittances of all processes whose payer may have been asked. */
  readonly asked: AskedFigures;
  /** Figures of this process; `inFlight`: running steps. */
  readonly steps: Readonly<StepCounts & { inFlight: number }>;
}

/** Carries accepted atomic calls through their phases. */
export interface PipelineWorker {
  /** Does nothing before its start; the caller runs `sweep` every `PIPELINE_SWEEP_SECONDS`. */
  readonly worker: Worker<RemittanceDocument>;
  /** Work that other processes accept and this one continues. */
  readonly source: WorkSource;
  /** Brings back due times that a clock has set which was ahead. @returns how many. The caller runs it every minute. */
  bringBack(): Promise<number>;
  /** Figures without reading the database. */
  steps(): PipelineStats['steps'];
  /** Reads the database; throws when it cannot be reached. */
  stats(): Promise<PipelineStats>;
  /** Figures of accounts; undefined when there are more remittances than the database counts in 2 s. */
  tenantFigures(
    accountIds: readonly AccountId[],
  ): Promise<ReadonlyMap<AccountId, TenantProgress> | undefined>;
}

/** The whole queue is one partition: the limit by account bounds how much one account can use. */
const PARTITION = 0;
const STOP_GRACE_SECONDS = 5;

export function createPipelineWorker(deps: WorkDeps, model: Model<RemittanceDocument>): PipelineWorker {
  const { log, clock, isClockRight, settings, tracing } = deps;
  const leaseMs = settings.leaseSeconds * 1000;
  const open = { isOpen: true } as const;
  const { retrySeconds } = settings;
  const waits = { retrySeconds, longestWaitMs: longestDelayMs(retrySeconds) };
  const quota = createAccountQuota({ total: settings.concurrency, most: settings.tenantConcurrency });
  const { limiter } = quota;
  const claims = createClaims<RemittanceDocument, AccountItem>({
    ...quota,
    model,
    open,
    inPartition: () => ({}),
    partitionOf: () => PARTITION,
    clock,
    isClockRight,
    leaseMs,
  });
  const job = createPhaseJob(deps);
  const attempts = createAttempts(job, { claims, log, clock, isClockRight, tracing });
  const worker = createWorker<RemittanceDocument>({
    claims,
    limiter,
    partitions: [PARTITION],
    work: attempts.run,
    log,
    name: job.name,
    stopGraceMs: (settings.stopGraceSeconds ?? STOP_GRACE_SECONDS) * 1000,
  });
  const steps = () => ({ ...attempts.counts, inFlight: settings.concurrency - limiter.free() });
  return {
    worker,
    source: {
      entity: 'remittance',
      idOf: ({ accountId, entityId }) => remittanceId(accountId, entityId),
      worker,
      name: job.name,
    },
    bringBack: () => bringBack({ model, open, order: { nextAttemptAt: -1 }, clock, leaseMs, ...waits }),
    steps,
    tenantFigures: (accountIds) => readTenantProgress(model, accountIds, clock()),
    stats: async () => {
      const [phases, asked] = await Promise.all([readPhaseFigures(model, clock()), readAskedFigures(model)]);
      return { phases, asked, steps: steps() };
    },
  };
}
