import type { Box } from '../crypto/box.ts';
import type { Logger } from '../log/log.ts';
import type { Claimed } from './claim.ts';
import type { DeliveryChange } from './delivery-events.ts';
import type { FinalOutcome, Recorder } from './record.ts';
import { openDelivery } from './sealed.ts';
import type { Sender, SendOutcome } from './sender.ts';
import { signedHeaders } from './sign.ts';

/** What attempts have come to since the process started. */
export interface AttemptCounts {
  delivered: number;
  /** Failed and due again later. */
  retried: number;
  deadLettered: number;
  /** Dead-lettered because their workers died each time; also in `deadLettered`. */
  poisoned: number;
  /** Given back untried or unfinished. */
  released: number;
  /** Outcomes refused because the lease had been lost. */
  stale: number;
  /** Attempts that ended without a recorded outcome: their lease runs out and they are made again. */
  unrecorded: number;
}

export interface AttemptDeps {
  recorder: Recorder;
  sender: Pick<Sender, 'send'>;
  box: Box;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  clock: () => Date;
  counts: AttemptCounts;
  timeoutMs: number;
}

/** Claims without an outcome after which a delivery is taken to be what kills its workers. */
const MAX_CLAIMS = 20;

/**
 * Makes one attempt of a claimed delivery and records it. At least once: a process that dies between the receiver's
 * answer and the record leaves a lease that runs out, and the same id and bytes are sent again.
 * Never throws; an attempt given up through `signal` is not counted and the delivery is due again at once.
 */
export async function attempt(deps: AttemptDeps, claimed: Claimed, signal: AbortSignal): Promise<void> {
  const { counts, log } = deps;
  const { _id: deliveryId, tenantId } = claimed.document;
  try {
    if (claimed.document.claims > MAX_CLAIMS) {
      await bury(deps, claimed);
      return;
    }
    if (signal.aborted || leaseIsShort(deps, claimed)) {
      await release(deps, claimed);
      return;
    }
    const at = deps.clock();
    const started = performance.now();
    const outcome = await post(deps, claimed, at, signal);
    if (outcome.kind === 'aborted') {
      await release(deps, claimed);
      return;
    }
    const ms = Math.round(performance.now() - started);
    settle(deps, claimed, { outcome, ms }, await deps.recorder.record(claimed, { at, ms, outcome }));
  } catch (error) {
    counts.unrecorded += 1;
    log.error({ deliveryId, tenantId, err: error }, 'webhook.unrecorded');
  }
}

/** A process that stood still between claim and send (suspended, starved) must not send beside the next claimer. */
function leaseIsShort({ clock, timeoutMs }: AttemptDeps, { leaseUntil }: Claimed): boolean {
  return clock().getTime() + timeoutMs > leaseUntil.getTime();
}

function post(
  { box, sender }: AttemptDeps,
  { document }: Claimed,
  at: Date,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { _id: deliveryId, scheme, event } = document;
  const { url, secret, body } = openDelivery(box, document);
  const headers = signedHeaders({
    scheme,
    event,
    deliveryId,
    secret,
    body,
    at: Math.floor(at.getTime() / 1000),
  });
  return sender.send({ url, headers, body }, signal);
}

async function bury({ recorder, counts, log }: AttemptDeps, claimed: Claimed): Promise<void> {
  const { _id: deliveryId, tenantId, event, claims } = claimed.document;
  if (await recorder.bury(claimed)) {
    counts.poisoned += 1;
    counts.deadLettered += 1;
    log.error({ deliveryId, tenantId, event, claims }, 'webhook.poisoned');
  } else {
    countStale({ counts, log }, claimed);
  }
}

async function release({ recorder, counts, log }: AttemptDeps, claimed: Claimed): Promise<void> {
  const { _id: deliveryId, tenantId, event } = claimed.document;
  if (await recorder.release(claimed)) {
    counts.released += 1;
    log.info({ deliveryId, tenantId, event }, 'webhook.released');
  } else {
    countStale({ counts, log }, claimed);
  }
}

function countStale({ counts, log }: Pick<AttemptDeps, 'counts' | 'log'>, { document }: Claimed): void {
  const { _id: deliveryId, tenantId, event } = document;
  counts.stale += 1;
  log.warn({ deliveryId, tenantId, event }, 'webhook.lease_lost');
}

/** Counts, and writes the attempt's one log line: ids and figures, never the URL, the secret or a body. */
function settle(
  { counts, log }: AttemptDeps,
  claimed: Claimed,
  { outcome, ms }: { outcome: FinalOutcome; ms: number },
  change: DeliveryChange | undefined,
): void {
  if (!change) {
    countStale({ counts, log }, claimed);
    return;
  }
  const { _id: deliveryId, tenantId, event, scheme, endpoint } = claimed.document;
  const { status, attempt: number, nextAttemptAt } = change;
  counts[COUNT_OF[status]] += 1;
  const line = {
    deliveryId,
    tenantId,
    event,
    scheme,
    endpoint,
    status,
    attempt: number,
    ms,
    statusCode: outcome.statusCode,
    errorClass: outcome.kind === 'failed' ? outcome.errorClass : undefined,
    nextAttemptAt,
  };
  log[status === 'DEAD_LETTERED' ? 'warn' : 'info'](line, 'webhook.attempt');
}

const COUNT_OF = {
  DELIVERED: 'delivered',
  DEAD_LETTERED: 'deadLettered',
  PENDING: 'retried',
  PAUSED: 'retried',
} as const;
