import type { ClientSession, Model } from 'mongoose';
import { type Refusal, type Result, succeed } from '../platform/errors/refusal.ts';
import type { NewEvent } from '../platform/events/index.ts';
import type { Connection } from '../platform/graphql/connection.ts';
import { type Page, paginate } from '../platform/graphql/paginate.ts';
import { newId, newLinkToken } from '../platform/ids.ts';
import type { Principal } from '../platform/principal.ts';
import type { Tenant } from '../platform/tenants/service.ts';
import { type RunTransaction, retryLostRace } from '../platform/transaction.ts';
import type { UsersPort } from '../users/index.ts';
import { flowNotAllowed, userBlocked } from './errors.ts';
import type { LinkDocument, LinkFlow } from './model.ts';

const SHORTEST_LIFE_MINUTES = 1;
const LONGEST_LIFE_MINUTES = 43_200;
const DEFAULT_LIFE_MINUTES = 1_440;
const LONGEST_REFERENCE = 255;

/** A link to make. `expiresInMinutes` is 1 to 43200, 1440 when absent. */
export interface NewLink {
  flow: LinkFlow;
  referenceId: string;
  firstName: string;
  lastName: string;
  expiresInMinutes?: number | null;
}

export interface LinkService {
  /**
   * Makes a link, and its user when the reference is new.
   * Refusals: INVALID_REQUEST, FLOW_NOT_ALLOWED, USER_BLOCKED.
   */
  create(principal: Principal, input: NewLink): Promise<Result<LinkDocument>>;
  /** Those of the links that the principal's tenant has, by id. */
  findByIds(principal: Principal, linkIds: readonly string[]): Promise<Map<string, LinkDocument>>;
  list(principal: Principal, filter: { userId?: string }, page: Page): Promise<Connection<LinkDocument>>;
}

export interface LinkServiceDeps {
  model: Model<LinkDocument>;
  tenants: { find(tenantId: string): Promise<Tenant | undefined> };
  users: UsersPort;
  events: { append(events: NewEvent[], session: ClientSession): Promise<void>; nudge(): void };
  transaction: RunTransaction;
}

export function createLinkService(deps: LinkServiceDeps): LinkService {
  return {
    create: (principal, input) => createLink(deps, principal, input),
    findByIds: async ({ tenantId }, linkIds) => {
      const found = await deps.model.find({ _id: { $in: linkIds }, tenantId }).lean();
      return new Map(found.map((link) => [link._id, link]));
    },
    list: ({ tenantId }, filter, page) => paginate(deps.model, { tenantId, ...filter }, page, (link) => link),
  };
}

async function createLink(
  deps: LinkServiceDeps,
  { tenantId }: Principal,
  input: NewLink,
): Promise<Result<LinkDocument>> {
  const faults = findFaults(input);
  if (faults.length > 0) {
    return { ok: false, refusals: faults };
  }
  const tenant = await deps.tenants.find(tenantId);
  if (!tenant?.flows.includes(input.flow)) {
    return flowNotAllowed(input.flow);
  }
  const created = await retryLostRace(() =>
    deps.transaction((session) => insertLink(deps, tenant, input, session)),
  );
  deps.events.nudge();
  return created;
}

function findFaults(input: NewLink): Refusal[] {
  const life = input.expiresInMinutes ?? DEFAULT_LIFE_MINUTES;
  const faults: Refusal[] = [];
  if (input.referenceId === '' || input.referenceId.length > LONGEST_REFERENCE) {
    faults.push(fault('referenceId', `must have 1 to ${LONGEST_REFERENCE} characters`));
  }
  if (life < SHORTEST_LIFE_MINUTES || life > LONGEST_LIFE_MINUTES) {
    faults.push(fault('expiresInMinutes', `must be ${SHORTEST_LIFE_MINUTES} to ${LONGEST_LIFE_MINUTES}`));
  }
  return faults;
}

function fault(path: string, message: string): Refusal {
  return { code: 'INVALID_REQUEST', message: `${path} ${message}`, path: [path] };
}

async function insertLink(
  deps: LinkServiceDeps,
  tenant: Tenant,
  input: NewLink,
  session: ClientSession,
): Promise<Result<LinkDocument>> {
  const { tenantId } = tenant;
  const { referenceId, firstName, lastName } = input;
  const user = await deps.users.ensureByReference(
    { tenantId, referenceId, profile: { firstName, lastName } },
    session,
  );
  if (user.blocked) {
    return userBlocked();
  }
  const link = newLink(tenant, input, user.userId);
  await deps.model.insertMany([link], { session });
  await deps.events.append([createdEvent(link)], session);
  return succeed(link);
}

function newLink(tenant: Tenant, input: NewLink, userId: string): LinkDocument {
  const now = new Date();
  const minutes = input.expiresInMinutes ?? DEFAULT_LIFE_MINUTES;
  return {
    _id: newId('lnk_'),
    tenantId: tenant.tenantId,
    referenceId: input.referenceId,
    userId,
    flow: input.flow,
    status: 'created',
    version: 1,
    url: `${tenant.widgetBaseUrl ?? ''}/w/${newLinkToken()}`,
    expiresAt: new Date(now.getTime() + minutes * 60_000),
    createdAt: now,
    updatedAt: now,
  };
}

function createdEvent(link: LinkDocument): NewEvent {
  return {
    tenantId: link.tenantId,
    entity: 'link',
    entityId: link._id,
    version: link.version,
    type: 'link.created',
    previousStatus: null,
    status: link.status,
    occurredAt: link.createdAt,
  };
}
