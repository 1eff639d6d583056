import type { Unaborted } from '../abort.ts';
import type { Box } from '../crypto/box.ts';
import { stillValid } from '../tenants/former-secrets.ts';
import { CRASH_LOOP_CLAIMS, type Job, type LogLine } from '../work/attempt.ts';
import type { Claimed } from './claim.ts';
import type { DeliveryChange } from './delivery-events.ts';
import type { CountedAttempt } from './endpoint-counts.ts';
import type { EndpointFlow } from './endpoint-flow.ts';
import type { DeliveryDocument } from './model.ts';
import type { FinishedAttempt, Recorder } from './record.ts';
import { openDelivery } from './sealed.ts';
import type { OutgoingRequest, Sender, SendOutcome } from './sender.ts';
import { signedHeaders } from './sign.ts';
import { type AttemptListener, type AttemptTracing, traceIdOf } from './telemetry.ts';

/** Outcomes of attempts besides those of every job; `retried`: failed, and due again later. */
export type DeliveryOutcome = 'delivered' | 'retried' | 'deadLettered';

export interface DeliveryJobDeps {
  recorder: Recorder;
  sender: Pick<Sender, 'send'>;
  box: Box;
  tracing: AttemptTracing;
  /** Called with each attempt that has ended. */
  onAttempt: AttemptListener;
  clock: () => Date;
  /** Time for one attempt, milliseconds. */
  timeoutMs: number;
  /** Called with the endpoint's answer. */
  flow: Pick<EndpointFlow, 'ended'>;
  /** Called when the endpoint is free for another attempt, though this one is not recorded yet. */
  onAnswered: (delivery: DeliveryDocument) => void;
}

const OUTCOME_OF = {
  DELIVERED: 'delivered',
  DEAD_LETTERED: 'deadLettered',
  PENDING: 'retried',
  PAUSED: 'retried',
} as const;

/**
 * Deliveries as a job: an attempt signs and posts the body, and records the answer. An abandoned attempt is not counted, and
 * the delivery is due again at once, though it may have arrived.
 */
export function createDeliveryJob(
  deps: DeliveryJobDeps,
): Job<DeliveryDocument, FinishedAttempt, DeliveryOutcome> {
  const { recorder } = deps;
  return {
    name: 'webhook',
    outcomes: ['delivered', 'retried', 'deadLettered'],
    maxClaims: CRASH_LOOP_CLAIMS,
    performMs: deps.timeoutMs,
    identify: ({ _id: deliveryId, tenantId, event }) => ({ deliveryId, tenantId, event }),
    perform: (claimed, signal) => perform(deps, claimed, signal),
    commit: async (claimed, finished) => {
      const change = await recorder.record(claimed, finished);
      return { outcomes: [OUTCOME_OF[change.status]], line: lineOf(claimed, finished, change) };
    },
    deadLetter: async (claimed) => {
      await recorder.deadLetter(claimed);
      const { claims } = claimed.document;
      return {
        outcomes: ['poisoned', 'deadLettered'],
        line: { level: 'error', event: 'poisoned', fields: { claims } },
      };
    },
    released: () => ({ level: 'info', event: 'released' }),
  };
}

async function perform(
  deps: DeliveryJobDeps,
  claimed: Claimed,
  signal: AbortSignal,
): Promise<Unaborted<FinishedAttempt>> {
  const at = deps.clock();
  const started = performance.now();
  const { tracing, flow } = deps;
  const outcome = await tracing.attempt(claimed.document, () => post(deps, claimed, at, signal));
  deps.onAnswered(claimed.document);
  if (outcome.kind === 'aborted') {
    return { aborted: true };
  }
  const ms = performance.now() - started;
  const finished = { at, ms: Math.round(ms), outcome };
  const counted = toCounted(claimed, finished);
  flow.ended(counted);
  deps.onAttempt({ result: counted.outcome, seconds: ms / 1000 });
  return { aborted: false, value: finished };
}

function toCounted({ document }: Claimed, { at, ms, outcome }: FinishedAttempt): CountedAttempt {
  const { endpoint, tenantId, attempt } = document;
  const { statusCode } = outcome;
  return {
    endpoint,
    tenantId,
    outcome: outcome.kind === 'failed' ? outcome.errorClass : 'delivered',
    ...(statusCode === undefined ? {} : { statusCode }),
    isFirst: attempt === 0,
    at,
    ms,
  };
}

function post(
  { box, sender }: DeliveryJobDeps,
  { document }: Claimed,
  at: Date,
  signal: AbortSignal,
): Promise<SendOutcome> {
  return sender.send(toRequest(box, document, at), signal);
}

/** The request of an attempt, signed at its time. @throws when the record was sealed under another key or has been changed */
export function toRequest(box: Box, document: DeliveryDocument, at: Date): OutgoingRequest {
  const { _id: deliveryId, scheme, event } = document;
  const { url, secret, formerSecrets, body } = openDelivery(box, document);
  const headers = signedHeaders({
    scheme,
    event,
    deliveryId,
    secret,
    formerSecrets: stillValid(formerSecrets, at).map((former) => former.secret),
    body,
    at: Math.floor(at.getTime() / 1000),
  });
  return { url, headers, body };
}

/** Fields of a log line: ids and figures, never the URL, the secret or a body. */
function lineOf({ document }: Claimed, { outcome, ms }: FinishedAttempt, change: DeliveryChange): LogLine {
  const { scheme, endpoint } = document;
  const traceId = traceIdOf(document.traceparent);
  const { status, attempt, nextAttemptAt } = change;
  const { statusCode, timing } = outcome;
  const errorClass = outcome.kind === 'failed' ? outcome.errorClass : undefined;
  return {
    level: status === 'DEAD_LETTERED' ? 'warn' : 'info',
    event: 'attempt',
    fields: {
      scheme,
      endpoint,
      status,
      attempt,
      ms,
      ...timing,
      statusCode,
      errorClass,
      nextAttemptAt,
      traceId,
    },
  };
}
