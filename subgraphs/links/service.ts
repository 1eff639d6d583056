import type { Connection } from '../graph/connection.ts';
import type { NumberedPage } from '../graph/numbered-page.ts';
import type { Page } from '../graph/paginate.ts';
import type { Result } from '../kernel/errors/result.ts';
import type { Principal } from '../kernel/principal.ts';
import { type NamedPartner, nameOf } from '../partners/tenants/find-meant.ts';
import type { Activity } from './activity.ts';
import type {
  CreateCipTicket,
  CreateLink,
  FulfilDataRequest,
  OpenLink,
  RaiseDataRequest,
  UpdateCip,
} from './commands/link-commands.ts';
import type { LinksDeps, LinksPortDeps } from './deps.ts';
import type { CheckedUser, CipTicket, DataRequest, Link } from './link.ts';
import type { LinksPort } from './port.ts';
import type { Listing } from './store/listing.ts';
import { createCipTicket } from './use-cases/create-cip-ticket.ts';
import { createLink } from './use-cases/create-link.ts';
import { attachOperation, recordOperationChange } from './use-cases/follow-operation.ts';
import { fulfilDataRequest } from './use-cases/fulfil-data-request.ts';
import { openLink } from './use-cases/open-link.ts';
import { type LinkPageQuery, pageLinks } from './use-cases/page-links.ts';
import { raiseDataRequest } from './use-cases/raise-data-request.ts';
import { recordResult, updateCip } from './use-cases/record-identity-check.ts';
import { revokeLink } from './use-cases/revoke-link.ts';
import type { IdImage } from './user-data.ts';

/** The links capability of the API (document 3). Every read and write is limited to the principal's tenant. */
export interface LinkService {
  /** Fails as {@link createLink} does. */
  create(principal: Principal, command: CreateLink): Promise<Result<Link>>;
  /** Fails as {@link revokeLink} does. */
  revoke(principal: Principal, linkId: string): Promise<Result<Link>>;
  /** The account's links with these ids, by id. */
  findByIds(principal: Principal, linkIds: readonly string[]): Promise<Map<string, Link>>;
  /** Links by operation; an operation that did not begin from a link has none. */
  findByOperations(principal: Principal, operationIds: readonly string[]): Promise<Map<string, Link>>;
  list(principal: Principal, listing: Listing, page: Page): Promise<Connection<Link>>;
  /** Fails as {@link pageLinks} does. */
  page(principal: Principal, query: LinkPageQuery): Promise<Result<NumberedPage<Link>>>;
  /** The timeline of a link, in order; undefined when the account has no such link. */
  timeline(principal: Principal, linkId: string): Promise<Activity[] | undefined>;
  listActivities(principal: Principal, linkId: string, page: Page): Promise<Connection<Activity>>;
  findActivity(principal: Principal, activityId: string): Promise<Activity | undefined>;
  findImage(principal: Principal, linkId: string): Promise<IdImage | undefined>;
  /** Fails as {@link createCipTicket} does. */
  createTicket(principal: Principal, command: CreateCipTicket): Promise<Result<CipTicket>>;
  /** Fails as {@link fulfilDataRequest} does. */
  fulfil(
    principal: Principal,
    dataRequestId: string,
    answer: FulfilDataRequest,
  ): Promise<Result<DataRequest>>;
}

/** The functions for the platform's own back end, for links of every tenant. */
export interface InternalLinkService {
  /** Fails as {@link openLink} does. */
  open(linkId: string, command?: OpenLink): Promise<Result<Link>>;
  /** Fails as {@link raiseDataRequest} does. */
  raise(command: RaiseDataRequest): Promise<Result<DataRequest>>;
  /** Fails as {@link updateCip} does. */
  updateCip(userId: string, command: UpdateCip): Promise<Result<CheckedUser>>;
}

/** The same functions for a simulation: for links and users of the principal's tenant. */
export interface LinkSimulation {
  /** Fails as {@link openLink} does. */
  open(principal: Principal, linkId: string): Promise<Result<Link>>;
  /** Fails as {@link raiseDataRequest} does. */
  raise(
    principal: Principal,
    command: Omit<RaiseDataRequest, keyof NamedPartner>,
  ): Promise<Result<DataRequest>>;
  /** Fails as {@link updateCip} does. */
  updateCip(principal: Principal, userId: string, command: UpdateCip): Promise<Result<CheckedUser>>;
}

export function createLinkService(deps: LinksDeps): LinkService {
  const { links, activities, images } = deps;
  return {
    create: (principal, command) => createLink(deps, principal, command),
    revoke: (principal, linkId) => revokeLink(deps, principal, linkId),
    findByIds: ({ accountId }, linkIds) => links.findMany(accountId, linkIds),
    findByOperations: ({ accountId }, operationIds) => links.findByOperations(accountId, operationIds),
    list: ({ accountId }, listing, page) =>
      links.list(accountId, listing, deps.accountClock(accountId), page),
    page: (principal, query) => pageLinks(deps, principal, query),
    timeline: async ({ accountId }, linkId) =>
      (await links.exists(accountId, linkId)) ? activities.timeline(accountId, linkId) : undefined,
    listActivities: ({ accountId }, linkId, page) => activities.list(accountId, linkId, page),
    findActivity: async ({ accountId }, activityId) =>
      (await activities.findMany(accountId, [activityId])).get(activityId),
    findImage: ({ accountId }, linkId) => images.find(accountId, linkId),
    createTicket: (principal, command) => createCipTicket(deps, principal, command),
    fulfil: (principal, dataRequestId, answer) => fulfilDataRequest(deps, principal, dataRequestId, answer),
  };
}

export function createInternalLinkService(deps: LinksDeps): InternalLinkService {
  return {
    open: (linkId, { environment } = {}) => openLink(deps, { linkId }, environment),
    raise: (command) => raiseDataRequest(deps, command),
    updateCip: (userId, command) => updateCip(deps, { userId }, command),
  };
}

export function createLinkSimulation(deps: LinksDeps): LinkSimulation {
  return {
    open: ({ accountId }, linkId) => openLink(deps, { accountId, linkId }),
    raise: ({ accountId }, command) => raiseDataRequest(deps, { ...command, ...nameOf(accountId) }),
    updateCip: ({ accountId }, userId, command) => updateCip(deps, { accountId, userId }, command),
  };
}

/** The functions for other slices. */
export function createLinksPort(deps: LinksPortDeps): LinksPort {
  return {
    recordIdentityCheck: (check, unit) => recordResult(deps, check, unit),
    attachOperation: (input, unit) => attachOperation(deps, input, unit),
    recordOperationChange: (input, unit) => recordOperationChange(deps, input, unit),
  };
}
