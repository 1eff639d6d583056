import type { Unaborted } from '../kernel/abort.ts';
import type { Box } from '../kernel/crypto/box.ts';
import { type SpanEnd, type Tracing, traceIdOf } from '../kernel/tracing/tracing.ts';
import { FIRST, OPERATIONAL } from '../partners/tenants/endpoint-store.ts';
import { stillValid } from '../partners/tenants/former-secrets.ts';
import type { Tenants } from '../partners/tenants/service.ts';
import { CRASH_LOOP_CLAIMS, type Job, type LogLine, type TracedAttempt } from '../runtime/work/attempt.ts';
import { attemptHeaders } from './attempt-headers.ts';
import type { Claimed } from './claim.ts';
import type { DeliveryChange } from './delivery-events.ts';
import type { CountedAttempt } from './endpoint-counts.ts';
import type { EndpointFlow } from './endpoint-flow.ts';
import type { DeliveryDocument } from './model.ts';
import type { FinishedAttempt, Recorder } from './record.ts';
import { openDelivery } from './sealed.ts';
import type { ErrorClass, OutgoingRequest, Sender, SendOutcome } from './sender.ts';
import type { SigningKeyOf } from './signing-key.ts';
import type { AttemptListener } from './telemetry.ts';

/** Finds the endpoints of partners. */
export interface EndpointReader extends Pick<Tenants, 'find'> {
  readonly endpoints: Pick<Tenants['endpoints'], 'exists'>;
}

/** Outcomes of attempts besides those of every job; `retried`: failed, and due again later. */
export type DeliveryOutcome = 'delivered' | 'retried' | 'deadLettered';

/** In place of an attempt: nothing was sent, because the endpoint of the delivery was deleted. */
const ENDPOINT_DELETED = 'endpoint_deleted';

export interface DeliveryJobDeps {
  tenants: EndpointReader;
  recorder: Recorder;
  sender: Pick<Sender, 'send'>;
  box: Box;
  signingKeyOf: SigningKeyOf;
  tracing: Tracing;
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
 * the delivery is due again at once, though it may have arrived. A delivery whose endpoint was deleted is dead-lettered in place of an
 * attempt: its URL may be somebody else's by now.
 */
export function createDeliveryJob(
  deps: DeliveryJobDeps,
): Job<DeliveryDocument, FinishedAttempt | typeof ENDPOINT_DELETED, DeliveryOutcome> {
  const { recorder } = deps;
  return {
    name: 'webhook',
    outcomes: ['delivered', 'retried', 'deadLettered'],
    maxClaims: CRASH_LOOP_CLAIMS,
    performMs: deps.timeoutMs,
    identify: ({ _id: deliveryId, accountId, event }) => ({ deliveryId, accountId, event }),
    trace: toTraced,
    perform: (claimed, signal) => perform(deps, claimed, signal),
    commit: async (claimed, finished) => {
      if (finished === ENDPOINT_DELETED) {
        await recorder.deadLetter(claimed, ENDPOINT_DELETED);
        const { endpointId } = claimed.document;
        return {
          outcomes: ['deadLettered'],
          line: { level: 'info', event: ENDPOINT_DELETED, fields: { endpointId } },
        };
      }
      const change = await recorder.record(claimed, finished);
      const line = lineOf(claimed, finished, change);
      return { outcomes: [OUTCOME_OF[change.status]], line, errorType: errorClassOf(finished.outcome) };
    },
    deadLetter: async (claimed) => {
      await recorder.deadLetter(claimed, 'poison');
      const { claims } = claimed.document;
      return {
        outcomes: ['crashLooping', 'deadLettered'],
        line: { level: 'error', event: 'crash_looping', fields: { claims } },
      };
    },
    released: () => ({ level: 'info', event: 'released' }),
  };
}

async function perform(
  deps: DeliveryJobDeps,
  claimed: Claimed,
  signal: AbortSignal,
): Promise<Unaborted<FinishedAttempt | typeof ENDPOINT_DELETED>> {
  if (await isEndpointDeleted(deps.tenants, claimed.document)) {
    deps.onAnswered(claimed.document);
    return { aborted: false, value: ENDPOINT_DELETED };
  }
  const at = deps.clock();
  const started = performance.now();
  const { tracing, flow } = deps;
  const outcome = await tracing.span(
    spanOf(claimed.document),
    // Receivers get the headers of their scheme, those that the partner adds, and no others.
    () => post(deps, claimed, at, signal),
    toSpanEnd,
  );
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

/**
 * Whether the delivery is for a further endpoint that its account has no more, or for operational events and their URL is gone. The
 * partner that this process knows is at most 2 s old. An endpoint that it does not know may be new, so the database decides.
 */
async function isEndpointDeleted(
  tenants: EndpointReader,
  { accountId, endpointId }: DeliveryDocument,
): Promise<boolean> {
  if (endpointId === undefined || endpointId === FIRST) {
    return false;
  }
  const tenant = await tenants.find(accountId);
  const isKnown =
    endpointId === OPERATIONAL
      ? tenant?.operationalEvents?.url !== undefined
      : tenant?.webhookEndpoints?.some(({ id }) => id === endpointId) === true;
  return !(isKnown || (await tenants.endpoints.exists(accountId, endpointId)));
}

function toTraced(document: DeliveryDocument): TracedAttempt {
  const { _id, accountId, event, scheme, traceparent } = document;
  const before = attemptsBefore(document);
  return {
    name: 'webhook.attempt',
    attributes: {
      'remitgraph.tenant.id': accountId,
      'webhook.delivery.id': _id,
      'webhook.event': event,
      'webhook.scheme': scheme,
      'webhook.attempt': before + 1,
    },
    cause: { traceparent, isFirst: before === 0 },
  };
}

/** Also those before it was sent again. */
function attemptsBefore({ earlierAttempts, attempt }: DeliveryDocument): number {
  return earlierAttempts + attempt;
}

/** The span of the POST. It does not name the receiver: addresses are sealed. */
function spanOf(document: DeliveryDocument) {
  const before = attemptsBefore(document);
  return {
    name: 'POST',
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      ...(before > 0 && { 'http.request.resend_count': before }),
    },
  } as const;
}

function toSpanEnd(outcome: SendOutcome): SpanEnd {
  if (outcome.kind === 'aborted') {
    return { attributes: { 'webhook.aborted': true } };
  }
  const { statusCode } = outcome;
  return {
    ...(statusCode !== undefined && { attributes: { 'http.response.status_code': statusCode } }),
    errorType: errorClassOf(outcome),
  };
}

function errorClassOf(outcome: SendOutcome): ErrorClass | undefined {
  return outcome.kind === 'failed' ? outcome.errorClass : undefined;
}

function toCounted({ document }: Claimed, { at, ms, outcome }: FinishedAttempt): CountedAttempt {
  const { endpoint, accountId, attempt } = document;
  const { statusCode } = outcome;
  return {
    endpoint,
    accountId,
    outcome: outcome.kind === 'failed' ? outcome.errorClass : 'delivered',
    ...(statusCode === undefined ? {} : { statusCode }),
    isFirst: attempt === 0,
    at,
    ms,
  };
}

function post(
  { sender, ...opening }: DeliveryJobDeps,
  { document }: Claimed,
  at: Date,
  signal: AbortSignal,
): Promise<SendOutcome> {
  return sender.send(toRequest(opening, document, at), signal);
}

/** The request of an attempt, signed at its time. @throws when the record was sealed under another key or has been changed */
export function toRequest(
  { box, signingKeyOf }: Pick<DeliveryJobDeps, 'box' | 'signingKeyOf'>,
  document: DeliveryDocument,
  at: Date,
): OutgoingRequest {
  const { _id: deliveryId, accountId, scheme, event } = document;
  const { url, secret, formerSecrets, signatureScheme, body, ...opened } = openDelivery(box, document);
  const headers = attemptHeaders({
    url,
    signatureScheme,
    headers: opened.headers,
    keyOf: (one) => signingKeyOf(accountId, one),
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
  const errorClass = errorClassOf(outcome);
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
