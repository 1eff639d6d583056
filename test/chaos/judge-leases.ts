import type { WebhookWorker } from '../support/webhook-worker/start.ts';

/** A result that was not written, for the lease was another's by then: the fence at work. */
export interface RejectedResult {
  readonly deliveryId: string;
  /**
   * How far the clock of another process was ahead when it leased the delivery, milliseconds: the lease was over by that
   * clock alone. Undefined when there was no such process: then two had one delivery at a time, and that must not be.
   */
  readonly aheadMs: number | undefined;
}

/** A lease that a process has asked for. */
interface Lease {
  readonly worker: WebhookWorker;
  readonly deliveryId: string;
  /** The clock of the process, milliseconds before the real one. */
  readonly aheadMs: number;
}

/** The results in the journals of workers that came too late. */
export function readRejected(workers: readonly WebhookWorker[]): RejectedResult[] {
  const leases = workers.flatMap((worker) => worker.journal().flatMap((line) => toLeases(worker, line)));
  return workers.flatMap((worker) =>
    worker
      .journal()
      .filter(({ msg }) => msg === 'webhook.lease_lost')
      .map(({ deliveryId }) => explain(worker, String(deliveryId), leases)),
  );
}

function toLeases(worker: WebhookWorker, line: Readonly<Record<string, unknown>>): Lease[] {
  const { leased, aheadMs } = line;
  return Array.isArray(leased)
    ? leased.map((id) => ({ worker, deliveryId: String(id), aheadMs: Number(aheadMs) }))
    : [];
}

/** A process whose clock is set meanwhile may have leased it twice: then by its first clock. */
function explain(worker: WebhookWorker, deliveryId: string, leases: readonly Lease[]): RejectedResult {
  const same = leases.filter((lease) => lease.deliveryId === deliveryId);
  const own = Math.min(...same.filter((lease) => lease.worker === worker).map(({ aheadMs }) => aheadMs));
  const others = same.filter((lease) => lease.worker !== worker).map(({ aheadMs }) => aheadMs - own);
  const aheadMs = Math.max(...others);
  return { deliveryId, aheadMs: aheadMs > 0 && Number.isFinite(aheadMs) ? aheadMs : undefined };
}
