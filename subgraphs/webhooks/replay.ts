import type { AccountId } from '../kernel/account.ts';
import type { AccountClocks } from '../kernel/clock/account-clock.ts';
import type { Box } from '../kernel/crypto/box.ts';
import type { RunTransaction } from '../kernel/database/transaction.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../kernel/errors/result.ts';
import { isOneOf } from '../kernel/objects.ts';
import { sealFormerSecrets, stillValid } from '../partners/tenants/former-secrets.ts';
import type { Tenants } from '../partners/tenants/service.ts';
import { sealHeaders } from '../partners/tenants/static-headers.ts';
import { REPLAYABLE, type ReplayableStatus } from './bulk-replay-model.ts';
import { appendDeliveryEvents, type DeliveryChange, type DeliveryEvents } from './delivery-events.ts';
import type { DeliveryDocument, DeliveryStatus, WebhookModels } from './model.ts';
import type { DeliveryOrder } from './order.ts';
import { type Target, targetOf } from './receivers.ts';
import { openDelivery, sealedContext } from './sealed.ts';

export interface ReplayDeps {
  models: Pick<WebhookModels, 'deliveries'>;
  box: Box;
  tenants: Pick<Tenants, 'findStored'>;
  order: Pick<DeliveryOrder, 'leave'>;
  /** The endpoint of a URL, as deliveries name it. */
  identify: (accountId: AccountId, url: string) => string;
  events: DeliveryEvents;
  transaction: RunTransaction;
  clock: () => Date;
  clocks: Pick<AccountClocks, 'accountClock' | 'aheadMs'>;
  wake: (deliveryIds: readonly string[]) => void;
}

/** The URL to which deliveries are sent again. */
export type ReplayUrl = 'stored' | 'current';

/**
 * Sends an ended delivery again: the same id, address, secret, scheme, headers and bytes, due now, with its attempts counted from zero. It has
 * no order any more, because the following ones may have arrived long ago. Of two calls at once one fails, and so does a call
 * while the delivery is being tried.
 *
 * With `current` it goes to the URL that its endpoint has now, signed with the scheme and the secrets of now, and keeps a record of the URL
 * that it was for. A delivery that still waits for a former URL is sent, too.
 * Failures: WEBHOOK_DELIVERY_NOT_FOUND, WEBHOOK_DELIVERY_NOT_REPLAYABLE; WEBHOOK_ENDPOINT_NOT_FOUND when there is no current
 * URL.
 */
export async function replay(
  deps: ReplayDeps,
  accountId: AccountId,
  deliveryId: string,
  to: ReplayUrl = 'stored',
): Promise<Result<DeliveryDocument>> {
  const replayed = await deps.transaction(async (unit) => {
    const [one] = await replayWithin(deps, accountId, [deliveryId], to, unit);
    return one ?? fail('WEBHOOK_DELIVERY_NOT_FOUND');
  });
  if (replayed.ok) {
    deps.wake([deliveryId]);
  }
  return replayed;
}

/**
 * Sends several again in the caller's transaction; the caller wakes the worker after the commit. @returns a result for each
 * of `deliveryIds`, in their order
 */
export async function replayWithin(
  deps: Omit<ReplayDeps, 'transaction' | 'wake'>,
  accountId: AccountId,
  deliveryIds: readonly string[],
  to: ReplayUrl,
  unit: UnitOfWork,
): Promise<Result<DeliveryDocument>[]> {
  const { models, events, order, clock, clocks } = deps;
  const found = await models.deliveries
    .find({ _id: { $in: deliveryIds }, accountId })
    .session(unit.session)
    .lean();
  const byId = new Map(found.map((document) => [document._id, document]));
  const plan = await plannerFor(deps, accountId, to);
  const changes: DeliveryChange[] = [];
  const leaving: DeliveryDocument[] = [];
  const results = deliveryIds.map((id): Result<DeliveryDocument> => {
    const before = byId.get(id);
    const planned = before ? plan(before) : fail('WEBHOOK_DELIVERY_NOT_FOUND');
    if (!before || !planned.ok) {
      return planned;
    }
    const renewed = planned.value;
    unit.update(models.deliveries, renewal(before, renewed));
    changes.push(toChange(before, renewed, clocks.accountClock(accountId)));
    if (before.status === 'PENDING') {
      leaving.push(before);
    }
    return succeed(renewed);
  });
  await order.leave(leaving, clock(), unit);
  appendDeliveryEvents(events, changes, unit);
  return results;
}

/** Makes the function that plans the replay of a delivery: the delivery to store, or a failure. */
async function plannerFor(
  { tenants, clock, clocks, ...deps }: Omit<ReplayDeps, 'transaction' | 'wake'>,
  accountId: AccountId,
  to: ReplayUrl,
): Promise<(before: DeliveryDocument) => Result<DeliveryDocument>> {
  const now = clock();
  if (to === 'stored') {
    return (before) =>
      isReplayable(before.status) ? succeed(renew(before, now)) : notReplayable(before.status);
  }
  const tenant = await tenants.findStored(accountId);
  return (before) => {
    const target = tenant && targetOf(tenant, before);
    if (target === undefined) {
      return fail(
        'WEBHOOK_ENDPOINT_NOT_FOUND',
        'The endpoint of this webhook has no URL now, or was deleted.',
      );
    }
    const endpoint = deps.identify(accountId, target.url);
    const isMoved = endpoint !== before.endpoint;
    if (!isReplayable(before.status) && (!isMoved || before.leaseToken !== undefined)) {
      return notReplayable(before.status);
    }
    const at = { now, account: clocks.accountClock(accountId) };
    return succeed(retarget(deps, before, { ...target, endpoint }, at));
  };
}

/** The delivery to store, to its endpoint's current URL. */
function retarget(
  { box }: Pick<ReplayDeps, 'box'>,
  before: DeliveryDocument,
  {
    url,
    secret,
    formerSecrets = [],
    signatureScheme,
    headers = [],
    endpoint,
  }: Target & Pick<DeliveryDocument, 'endpoint'>,
  at: { readonly now: Date; readonly account: Date },
): DeliveryDocument {
  const context = sealedContext(before);
  const { secret: _secret, formerSecrets: _formerSecrets, ...others } = renew(before, at.now);
  const { signatureScheme: _signatureScheme, headers: _headers, ...kept } = others;
  const { url: formerUrl, formerUrls } = openDelivery(box, before);
  const former = [...formerUrls, ...(formerUrl === url ? [] : [{ url: formerUrl, until: at.account }])];
  const secrets = sealFormerSecrets(box, stillValid(formerSecrets, at.now), context('formerSecrets'));
  const sealedHeaders = sealHeaders(box, headers, context('headers'));
  return {
    ...kept,
    endpoint,
    url: box.seal(url, context('url')),
    ...(secret ? { secret: box.seal(secret, context('secret')) } : {}),
    ...(secrets && { formerSecrets: secrets }),
    ...(signatureScheme && { signatureScheme }),
    ...(sealedHeaders && { headers: sealedHeaders }),
    ...(former.length === 0
      ? {}
      : { formerUrls: box.seal(JSON.stringify(former.slice(-MOST_FORMER_URLS)), context('formerUrls')) }),
  };
}

/** A delivery remembers that many URLs: each takes a change of its endpoint and a call. */
const MOST_FORMER_URLS = 20;

function isReplayable(status: DeliveryStatus): status is ReplayableStatus {
  return isOneOf(REPLAYABLE, status);
}

function notReplayable(status: DeliveryStatus): Result<never> {
  return fail(
    'WEBHOOK_DELIVERY_NOT_REPLAYABLE',
    `The delivery is ${status}; only one that is ${REPLAYABLE.join(' or ')} is sent again, or one that waits for a former URL of its endpoint.`,
  );
}

/** The delivery to store. */
function renew(before: DeliveryDocument, now: Date): DeliveryDocument {
  const { leaseToken: _leaseToken, finishedAt: _finishedAt, after: _after, ...kept } = before;
  const { lastError: _lastError, lastStatusCode: _lastStatusCode, order: _order, ...document } = kept;
  return {
    ...document,
    status: 'PENDING',
    version: before.status === 'PENDING' ? before.version : before.version + 1,
    nextAttemptAt: now,
    attempt: 0,
    earlierAttempts: before.earlierAttempts + before.attempt,
    claims: 0,
  };
}

/** The fields that a replay sets; those without a value are removed. */
const RENEWED = [
  ...['status', 'version', 'nextAttemptAt', 'attempt', 'earlierAttempts', 'claims', 'endpoint', 'url'],
  ...['secret', 'formerSecrets', 'formerUrls', 'leaseToken', 'finishedAt', 'lastError', 'lastStatusCode'],
  ...['order', 'after', 'signatureScheme', 'headers'],
] as const satisfies readonly string[];

function renewal(before: DeliveryDocument, renewed: DeliveryDocument) {
  const { _id, accountId, status, version } = before;
  const fields = new Map<string, unknown>(Object.entries(renewed));
  const isSet = (name: string) => fields.get(name) !== undefined;
  return {
    filter: { _id, accountId, status, version },
    update: {
      $set: Object.fromEntries(RENEWED.filter(isSet).map((name) => [name, fields.get(name)])),
      $unset: Object.fromEntries(RENEWED.filter((name) => !isSet(name)).map((name) => [name, 1])),
    },
    otherwise: () => new Error(`Delivery ${_id} changed within the transaction that read it`),
  } as const;
}

function toChange(before: DeliveryDocument, renewed: DeliveryDocument, occurredAt: Date): DeliveryChange {
  const { _id: deliveryId, accountId, event, status: previousStatus, createdAt } = before;
  const { status, version, attempt, nextAttemptAt } = renewed;
  return {
    deliveryId,
    accountId,
    event,
    previousStatus,
    status,
    version,
    attempt,
    nextAttemptAt,
    occurredAt,
    createdAt,
  };
}
