import { isDuplicateKey, type RunTransaction } from '../kernel/database/transaction.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Tenant } from '../partners/tenants/service.ts';
import {
  DELIVERY_DEAD_LETTERED,
  ENDPOINT_RECOVERED,
  MOST_DEAD_LETTERS,
  QUIET_MINUTES,
} from '../webhook-events/operational.ts';
import type { Failures } from '../webhooks/failures.ts';
import type { OutgoingEvent } from '../webhooks/publisher.ts';
import {
  endpointIds,
  type FindDeps,
  type FoundCondition,
  findConditions,
  type StuckRemittances,
} from './find-conditions.ts';
import type { ConditionDocument, ConditionKind, OperationalModels } from './model.ts';
import { type RaiseDeps, raise } from './raise.ts';

const MINUTE_MS = 60_000;
const QUIET_MS = QUIET_MINUTES * MINUTE_MS;
/** How far back the first look for dead-lettered webhooks goes. */
const FIRST_LOOK_MS = 60 * MINUTE_MS;
/**
 * How long ago a webhook must have been dead-lettered to be reported. Its time is taken before it is stored: by now, those of that time
 * are stored, those that had to wait for the database too.
 */
const STORED_WITHIN_MS = 45_000;
/** The most ids that an event about dead-lettered webhooks names. */
const MOST_NAMED = 20;
const KEPT_CLOSED_MS = 24 * 60 * MINUTE_MS;

/** How long a condition is not found before it may be reported again. Dead-lettered webhooks never end as a condition. */
const CLOSED_AFTER_MS: Readonly<Record<Exclude<ConditionKind, 'delivery.dead_lettered'>, number>> = {
  'endpoint.failing': 0,
  'key.expiring': 0,
  'remittance.stuck': QUIET_MS,
  'quota.near': QUIET_MS,
};

export interface DetectDeps extends FindDeps, RaiseDeps {
  readonly models: OperationalModels;
  readonly failures: Failures;
  readonly transaction: RunTransaction;
  /** Called with each event that was stored. */
  readonly onRaised: (event: string) => void;
}

/** Another process has changed the condition meanwhile, and raised what there is to raise. */
class ConditionChangedError extends Error {}

/**
 * Finds the conditions of a partner, and raises an event for each that is new, and for each failing endpoint that has recovered. Each
 * change of a condition is stored in one transaction with its event: so it is raised once, however many processes look, and none is
 * lost with a process.
 * @param stuck its stuck remittances; undefined: unknown, and nothing is concluded
 */
export async function detect(
  deps: DetectDeps,
  tenant: Tenant,
  stuck: StuckRemittances | undefined,
): Promise<void> {
  const { models, clock } = deps;
  const { accountId } = tenant;
  const now = clock();
  const stored = await models.conditions.find({ accountId }).lean();
  const byId = new Map(stored.map((one) => [one._id, one]));
  const found = await findConditions(deps, tenant, stuck);
  const ids = new Set(found.map((one) => idOf(tenant, one)));
  for (const one of found) {
    const before = byId.get(idOf(tenant, one));
    if (!before?.isOpen) {
      await change(deps, tenant, one.event, (unit) => open(deps, tenant, one, { before, now }, unit));
    }
  }
  const still = stored.filter(({ _id, isOpen }) => isOpen && ids.has(_id)).map(({ _id }) => _id);
  if (still.length > 0) {
    await models.conditions.updateMany({ _id: { $in: still } }, { $set: { seenAt: now } });
  }
  const gone = stored.filter((one) => one.isOpen && !ids.has(one._id) && isOver(one, stuck, now));
  for (const one of gone) {
    await close(deps, tenant, one, now);
  }
  await reportDeadLetters(deps, tenant, byId.get(deadLettersOf(tenant)), now);
}

function idOf({ accountId }: Tenant, { kind, subject }: Pick<FoundCondition, 'kind' | 'subject'>): string {
  return `${accountId}|${kind}|${subject}`;
}

const deadLettersOf = (tenant: Tenant) => idOf(tenant, { kind: 'delivery.dead_lettered', subject: '' });

function isOver(
  { kind, seenAt }: ConditionDocument,
  stuck: StuckRemittances | undefined,
  now: Date,
): boolean {
  return (
    kind !== 'delivery.dead_lettered' &&
    !(kind === 'remittance.stuck' && stuck === undefined) &&
    !isWithin(seenAt, CLOSED_AFTER_MS[kind], now)
  );
}

/** Whether a time was less than this ago. A time of the future, which a wrong clock has set, was not. */
function isWithin(at: Date, ms: number, now: Date): boolean {
  const age = now.getTime() - at.getTime();
  return age >= 0 && age < ms;
}

/** Makes a change with its event, unless another process was faster. */
async function change(
  deps: DetectDeps,
  tenant: Tenant,
  event: OutgoingEvent | undefined,
  write: (unit: UnitOfWork) => void,
): Promise<void> {
  try {
    await deps.transaction((unit) => {
      write(unit);
      if (event) {
        raise(deps, tenant, event, unit);
      }
    });
  } catch (error) {
    if (error instanceof ConditionChangedError || isDuplicateKey(error)) {
      return;
    }
    throw error;
  }
  if (event) {
    deps.onRaised(event.event);
  }
}

function open(
  { models }: Pick<DetectDeps, 'models'>,
  tenant: Tenant,
  { kind, subject, since }: Omit<FoundCondition, 'event'>,
  { before, now, reportedTo }: { before: ConditionDocument | undefined; now: Date; reportedTo?: Date },
  unit: UnitOfWork,
): void {
  const state = {
    isOpen: true,
    openedAt: now,
    seenAt: now,
    ...(since && { since }),
    ...(reportedTo && { reportedTo }),
  };
  if (before === undefined) {
    const _id = idOf(tenant, { kind, subject });
    unit.insert(models.conditions, [{ _id, accountId: tenant.accountId, kind, subject, ...state }]);
    return;
  }
  unit.update(models.conditions, {
    filter: { _id: before._id, isOpen: before.isOpen, openedAt: before.openedAt },
    update: { $set: state, $unset: { expireAt: 1 } },
    otherwise: () => new ConditionChangedError(),
  });
}

async function close(deps: DetectDeps, tenant: Tenant, before: ConditionDocument, now: Date): Promise<void> {
  const expireAt = new Date(now.getTime() + KEPT_CLOSED_MS);
  await change(deps, tenant, recoveryOf(deps, tenant, before), (unit) =>
    unit.update(deps.models.conditions, {
      filter: { _id: before._id, isOpen: true, openedAt: before.openedAt },
      update: { $set: { isOpen: false, expireAt } },
      otherwise: () => new ConditionChangedError(),
    }),
  );
}

/** The event that reports the end of a condition; undefined for an endpoint that was deleted or has another URL by now. */
function recoveryOf(
  deps: DetectDeps,
  tenant: Tenant,
  { kind, subject, since }: ConditionDocument,
): OutgoingEvent | undefined {
  const endpointId = kind === 'endpoint.failing' ? endpointIds(deps, tenant).get(subject) : undefined;
  return endpointId === undefined || since === undefined
    ? undefined
    : ENDPOINT_RECOVERED.of({
        accountId: tenant.accountId,
        consoleUrl: deps.consoleUrl,
        endpointId,
        failingSince: since,
      });
}

/** Raises one event for all webhooks that were dead-lettered since the last one, at most once in 15 minutes. */
async function reportDeadLetters(
  deps: DetectDeps,
  tenant: Tenant,
  before: ConditionDocument | undefined,
  now: Date,
): Promise<void> {
  const { accountId } = tenant;
  if (before && isWithin(before.openedAt, QUIET_MS, now)) {
    return;
  }
  const upTo = new Date(deps.accountClock(accountId).getTime() - STORED_WITHIN_MS);
  const firstLook = new Date(upTo.getTime() - FIRST_LOOK_MS);
  const reportedTo = before?.reportedTo ?? firstLook;
  // The clock of a sandbox is set back by its reset.
  const after = reportedTo > upTo ? firstLook : reportedTo;
  const found = await deps.failures.deadLetters(accountId, { after, upTo }, MOST_DEAD_LETTERS);
  if (found.length === 0) {
    return;
  }
  const event = DELIVERY_DEAD_LETTERED.of({
    accountId,
    consoleUrl: deps.consoleUrl,
    deliveries: found.length,
    deliveryIds: found.slice(0, MOST_NAMED),
  });
  const condition = { kind: 'delivery.dead_lettered', subject: '' } as const;
  await change(deps, tenant, event, (unit) =>
    open(deps, tenant, condition, { before, now, reportedTo: upTo }, unit),
  );
}
