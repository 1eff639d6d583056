import type { Model } from 'mongoose';
import { UNTRACED } from '../kernel/tracing/tracing.ts';
import { type AccountItem, createAccountQuota } from '../runtime/work/account-quota.ts';
import { createAttempts } from '../runtime/work/attempt.ts';
import { bringBack } from '../runtime/work/bring-back.ts';
import { createClaims } from '../runtime/work/claim.ts';
import { longestDelayMs } from '../runtime/work/retry-schedule.ts';
import { createWorker, type Worker } from '../runtime/work/worker.ts';
import type { ReservationDocument } from './store/model.ts';
import { CALL_LEASE_MS } from './store/reservations.ts';
import {
  createWithdrawalJob,
  type WithdrawalDeps,
} from './use-cases/request-money-v2/withdraw-reservation.ts';

/** The whole queue is one partition: it holds only what a funding provider has left without an answer. */
const PARTITION = 0;
const CONCURRENCY = 16;
const TENANT_CONCURRENCY = 4;
const STOP_GRACE_MS = 5_000;

/** Settings of the worker besides those of its job. */
export interface WithdrawalWorkerSettings {
  /** `PIPELINE_LEASE_SECONDS` */
  readonly leaseSeconds: number;
  /** How long a stop waits for running steps, milliseconds; default 5,000. */
  readonly stopGraceMs?: number;
}

/** Withdraws requests by v2 whose payer may have been asked. The caller runs `sweep` every `PIPELINE_SWEEP_SECONDS`. */
export interface WithdrawalWorker extends Worker<ReservationDocument> {
  /** Brings back due times that a clock has set which was ahead. @returns how many. The caller runs it every minute. */
  bringBack(): Promise<number>;
}

export function createWithdrawalWorker(
  deps: WithdrawalDeps & { settings: WithdrawalWorkerSettings },
  model: Model<ReservationDocument>,
): WithdrawalWorker {
  const { log, clock, isClockRight, settings } = deps;
  const open = { isOpen: true } as const;
  const leaseMs = settings.leaseSeconds * 1000;
  const quota = createAccountQuota({ total: CONCURRENCY, most: TENANT_CONCURRENCY });
  const claims = createClaims<ReservationDocument, AccountItem>({
    ...quota,
    model,
    open,
    inPartition: () => ({}),
    partitionOf: () => PARTITION,
    clock,
    isClockRight,
    leaseMs,
  });
  const job = createWithdrawalJob(deps);
  const worker = createWorker<ReservationDocument>({
    claims,
    limiter: quota.limiter,
    partitions: [PARTITION],
    work: createAttempts(job, { claims, log, clock, isClockRight, tracing: UNTRACED }).run,
    log,
    name: job.name,
    stopGraceMs: settings.stopGraceMs ?? STOP_GRACE_MS,
  });
  return {
    ...worker,
    bringBack: () =>
      bringBack({
        ...{ model, open, order: { nextAttemptAt: -1 }, clock },
        // Callers have leases of their own.
        leaseMs: Math.max(leaseMs, CALL_LEASE_MS),
        retrySeconds: settings.retrySeconds,
        longestWaitMs: longestDelayMs(settings.retrySeconds),
      }),
  };
}
