import type { Result } from '../platform/errors/result.ts';
import type { Connection } from '../platform/graphql/connection.ts';
import type { NumberedPage } from '../platform/graphql/numbered-page.ts';
import type { Page } from '../platform/graphql/paginate.ts';
import type { Principal } from '../platform/principal.ts';
import type { IdImage } from './commands/id-image.ts';
import type { LinksDeps, LinksPortDeps } from './deps.ts';
import type { Listing } from './graphql/listing.ts';
import type { LinksPort } from './port.ts';
import type { Activity } from './store/activity-repository.ts';
import type { Link } from './store/link-repository.ts';
import { type CipTicket, createCipTicket } from './use-cases/create-cip-ticket.ts';
import { createLink } from './use-cases/create-link.ts';
import { attachOperation, recordOperationChange } from './use-cases/follow-operation.ts';
import { fulfilDataRequest } from './use-cases/fulfil-data-request.ts';
import { openLink } from './use-cases/open-link.ts';
import { type LinkPageQuery, pageLinks } from './use-cases/page-links.ts';
import { type DataRequest, raiseDataRequest } from './use-cases/raise-data-request.ts';
import { type CheckedUser, recordIdentityCheck, updateCip } from './use-cases/record-identity-check.ts';
import { revokeLink } from './use-cases/revoke-link.ts';

/** What the API asks of links (document 3). Every read and write is confined to the principal's tenant. */
export interface LinkService {
  /** Refusals: those of {@link createLink}. */
  create(principal: Principal, body: unknown): Promise<Result<Link>>;
  /** Refusals: those of {@link revokeLink}. */
  revoke(principal: Principal, linkId: string): Promise<Result<Link>>;
  /** Those of the links that the principal's tenant has, by id. */
  findByIds(principal: Principal, linkIds: readonly string[]): Promise<Map<string, Link>>;
  /** By operation, for those that were begun from a link. */
  findByOperations(principal: Principal, operationIds: readonly string[]): Promise<Map<string, Link>>;
  list(principal: Principal, listing: Listing, page: Page): Promise<Connection<Link>>;
  /** Refusals: those of {@link pageLinks}. */
  page(principal: Principal, query: LinkPageQuery): Promise<Result<NumberedPage<Link>>>;
  /** The timeline of a link, in order; undefined when the tenant has no such link. */
  timeline(principal: Principal, linkId: string): Promise<Activity[] | undefined>;
  listActivities(principal: Principal, linkId: string, page: Page): Promise<Connection<Activity>>;
  findActivity(principal: Principal, activityId: string): Promise<Activity | undefined>;
  findImage(principal: Principal, linkId: string): Promise<IdImage | undefined>;
  /** Refusals: those of {@link createCipTicket}. */
  createTicket(principal: Principal, body: unknown): Promise<Result<CipTicket>>;
  /** Refusals: those of {@link fulfilDataRequest}. */
  fulfil(principal: Principal, dataRequestId: string, body: unknown): Promise<Result<DataRequest>>;
}

/** What the platform's own back end asks of links, of whatever tenant. */
export interface InternalLinkService {
  /** Refusals: those of {@link openLink}. */
  open(linkId: string): Promise<Result<Link>>;
  /** Refusals: those of {@link raiseDataRequest}. */
  raise(body: unknown): Promise<Result<DataRequest>>;
  /** Refusals: those of {@link updateCip}. */
  updateCip(userId: string, body: unknown): Promise<Result<CheckedUser>>;
}

export function createLinkService(deps: LinksDeps): LinkService {
  const { links, activities, images } = deps;
  return {
    create: (principal, body) => createLink(deps, principal, body),
    revoke: (principal, linkId) => revokeLink(deps, principal, linkId),
    findByIds: ({ tenantId }, linkIds) => links.findMany(tenantId, linkIds),
    findByOperations: ({ tenantId }, operationIds) => links.findByOperations(tenantId, operationIds),
    list: async ({ tenantId }, listing, page) => {
      const { isTimed } = listing;
      const filter = isTimed ? await links.asOf(listing.filter, deps.clock()) : listing.filter;
      return links.list(tenantId, { ...listing, filter }, page);
    },
    page: (principal, query) => pageLinks(deps, principal, query),
    timeline: async ({ tenantId }, linkId) =>
      (await links.exists(tenantId, linkId)) ? activities.timeline(tenantId, linkId) : undefined,
    listActivities: ({ tenantId }, linkId, page) => activities.list(tenantId, linkId, page),
    findActivity: async ({ tenantId }, activityId) =>
      (await activities.findMany(tenantId, [activityId])).get(activityId),
    findImage: ({ tenantId }, linkId) => images.find(tenantId, linkId),
    createTicket: (principal, body) => createCipTicket(deps, principal, body),
    fulfil: (principal, dataRequestId, body) => fulfilDataRequest(deps, principal, dataRequestId, body),
  };
}

export function createInternalLinkService(deps: LinksDeps): InternalLinkService {
  return {
    open: (linkId) => openLink(deps, linkId),
    raise: (body) => raiseDataRequest(deps, body),
    updateCip: (userId, body) => updateCip(deps, userId, body),
  };
}

/** What other slices ask of links. */
export function createLinksPort(deps: LinksPortDeps): LinksPort {
  return {
    recordIdentityCheck: (input, session) => recordIdentityCheck(deps, input, session),
    attachOperation: (input, session) => attachOperation(deps, input, session),
    recordOperationChange: (input, session) => recordOperationChange(deps, input, session),
  };
}
