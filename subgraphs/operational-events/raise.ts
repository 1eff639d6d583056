import type { AccountClocks } from '../kernel/clock/account-clock.ts';
import { newId } from '../kernel/database/ids.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Tenant } from '../partners/tenants/service.ts';
import { OPERATIONAL_EVENTS } from '../webhook-events/operational.ts';
import { bodiesOf } from '../webhook-events/versions.ts';
import type { OutgoingEvent } from '../webhooks/publisher.ts';
import type { WebhookQueue } from '../webhooks/queue.ts';
import { operationalReceiver } from '../webhooks/receivers.ts';
import type { NoticeDocument, OperationalModels } from './model.ts';

const MINUTE_MS = 60_000;
/** Notices of one of these spans go in one message, so an address gets at most one message in it. */
const GROUPED_MS = 5 * MINUTE_MS;
const KEPT_MS = 30 * 24 * 60 * MINUTE_MS;

export interface RaiseDeps {
  readonly models: Pick<OperationalModels, 'notices'>;
  readonly queue: Pick<WebhookQueue, 'enqueue'>;
  /** Whether this deployment sends mail. */
  readonly hasMail: boolean;
  readonly clock: () => Date;
  readonly accountClock: AccountClocks['accountClock'];
}

/** Stores an event's webhook and its notice for the mail, for the receivers that the partner has, in the caller's transaction. */
export function raise(
  deps: RaiseDeps,
  tenant: Tenant,
  { event, data }: OutgoingEvent,
  unit: UnitOfWork,
): void {
  const { models, queue, hasMail, clock, accountClock } = deps;
  const { accountId } = tenant;
  const described = OPERATIONAL_EVENTS.find(({ name }) => name === event);
  if (!described) {
    throw new TypeError(`${event} is no operational event`);
  }
  const found = operationalReceiver(tenant);
  if (found) {
    const { eventVersion, ...receiver } = found;
    const createdAt = accountClock(accountId);
    const body = bodiesOf(described, { event, data }, createdAt)(eventVersion);
    queue.enqueue([{ accountId, event, scheme: 'request_money', ...receiver, body, createdAt }], unit);
  }
  if (hasMail && (tenant.operationalEvents?.emails.length ?? 0) > 0) {
    const now = clock().getTime();
    const notice: NoticeDocument = {
      _id: newId('on_'),
      accountId,
      event: described.name,
      data: { ...data },
      occurredAt: new Date(now),
      mailDueAt: new Date(Math.floor(now / GROUPED_MS) * GROUPED_MS + GROUPED_MS),
      mailAttempts: 0,
      mailedTo: [],
      expireAt: new Date(now + KEPT_MS),
    };
    unit.insert(models.notices, [notice]);
  }
}
