import { Resolver } from 'type-graphql';
import { DocumentedMutation, type MutationCall, toPayload } from '../../graph/documented-mutation.ts';
import { andThen } from '../../kernel/errors/result.ts';
import {
  readCreateCipTicket,
  readCreateLink,
  readFulfilDataRequest,
  readOpenLink,
  readRaiseDataRequest,
  readUpdateCip,
} from '../commands/link-commands.ts';
import type { InternalLinkService } from '../service.ts';
import { presentTicket } from './cip-ticket.type.ts';
import { presentDataRequest } from './data-request.type.ts';
import {
  CreateCipTicketInput,
  CreateCipTicketPayload,
  CreateLinkPayload,
  FulfilDataRequestInput,
  FulfilDataRequestPayload,
  OpenLinkPayload,
  RaiseDataRequestPayload,
  RevokeLinkInput,
  RevokeLinkPayload,
  UpdateCipPayload,
} from './inputs.ts';
import { CreateLinkInput, type PresentLink } from './link.type.ts';
import type { LinkResolverDeps } from './resolvers.ts';
import { presentIdentity } from './user-identity.type.ts';

const BY_LINK = { linkId: { argument: 'linkId', description: 'The link of the path.' } };

/** The mutations of partners. */
@Resolver()
export class LinkMutations {
  constructor(private readonly deps: LinkResolverDeps) {}

  @DocumentedMutation({
    scopes: ['partner', 'partner_write'],
    payload: () => CreateLinkPayload,
    graphql: {
      description: 'Creates a link for a user. A new `referenceId` also creates the user.',
      input: { type: () => CreateLinkInput, description: 'The link to create.' },
    },
    rest: { field: 'createLinkFromJson', description: 'POST /partner/links: the body as it was sent.' },
  })
  async createLink({ principal, body }: MutationCall): Promise<CreateLinkPayload> {
    const created = await andThen(readCreateLink(body), (link) => this.deps.links.create(principal, link));
    return toPayload('link', created, this.deps.present);
  }

  @DocumentedMutation({
    scopes: ['partner', 'partner_write'],
    payload: () => RevokeLinkPayload,
    graphql: {
      description: 'Revokes a link, so that it can no longer be opened.',
      input: { type: () => RevokeLinkInput, description: 'The link to revoke.' },
    },
    rest: {
      field: 'revokeLinkById',
      description: 'POST /partner/links/{linkId}/revoke.',
      body: 'none',
    },
    ids: BY_LINK,
  })
  async revokeLink({ principal, ids }: MutationCall<'linkId'>): Promise<RevokeLinkPayload> {
    return toPayload('link', await this.deps.links.revoke(principal, ids.linkId), this.deps.present);
  }

  @DocumentedMutation({
    scopes: ['partner', 'partner_write'],
    payload: () => CreateCipTicketPayload,
    graphql: {
      description:
        "Requests an identity check of a link's user. The link must have the user data that the check needs (`readiness`).",
      input: { type: () => CreateCipTicketInput, description: 'The check to request.' },
    },
    rest: {
      field: 'createCipTicketFromJson',
      description: 'POST /partner/cip/tickets: the body as it was sent.',
    },
  })
  async createCipTicket({ principal, body }: MutationCall): Promise<CreateCipTicketPayload> {
    const created = await andThen(readCreateCipTicket(body), (ticket) =>
      this.deps.links.createTicket(principal, ticket),
    );
    return toPayload('ticket', created, (ticket) => presentTicket(ticket, this.deps.present));
  }

  @DocumentedMutation({
    scopes: ['partner', 'partner_write'],
    payload: () => FulfilDataRequestPayload,
    graphql: {
      description: "Answers a data request. The answer is merged into the link's user data.",
      input: { type: () => FulfilDataRequestInput, description: 'The answer.' },
    },
    rest: {
      field: 'fulfilDataRequestFromJson',
      description: 'PUT /partner/data-requests/{dataRequestId}: the body as it was sent.',
    },
    ids: { dataRequestId: { argument: 'dataRequestId', description: 'The data request of the path.' } },
  })
  async fulfilDataRequest({
    principal,
    ids,
    body,
  }: MutationCall<'dataRequestId'>): Promise<FulfilDataRequestPayload> {
    const fulfilled = await andThen(readFulfilDataRequest(body), (answer) =>
      this.deps.links.fulfil(principal, ids.dataRequestId, answer),
    );
    return toPayload('dataRequest', fulfilled, presentDataRequest);
  }
}

/** The mutations of the platform's own back end, hidden from clients. */
@Resolver()
export class InternalLinkMutations {
  constructor(private readonly deps: { links: InternalLinkService; present: PresentLink }) {}

  @DocumentedMutation({
    scopes: ['internal'],
    payload: () => OpenLinkPayload,
    rest: {
      field: 'openLink',
      description: 'POST /v1/internal/links/{linkId}/open: the body as it was sent; an empty one is none.',
      body: 'optional',
    },
    ids: BY_LINK,
  })
  async openLink({ ids, body }: MutationCall<'linkId'>): Promise<OpenLinkPayload> {
    const opened = await andThen(readOpenLink(body), (command) => this.deps.links.open(ids.linkId, command));
    return toPayload('link', opened, this.deps.present);
  }

  @DocumentedMutation({
    scopes: ['internal'],
    payload: () => RaiseDataRequestPayload,
    rest: {
      field: 'raiseDataRequestFromJson',
      description: 'POST /v1/internal/data-requests: the body as it was sent.',
    },
  })
  async raiseDataRequest({ body }: MutationCall): Promise<RaiseDataRequestPayload> {
    const raised = await andThen(readRaiseDataRequest(body), (request) => this.deps.links.raise(request));
    return toPayload('dataRequest', raised, presentDataRequest);
  }

  @DocumentedMutation({
    scopes: ['internal'],
    payload: () => UpdateCipPayload,
    rest: {
      field: 'updateCipFromJson',
      description: 'PATCH /v1/internal/users/{userId}/cip: the body as it was sent.',
    },
    ids: { userId: { argument: 'userId', description: 'The user of the path.' } },
  })
  async updateCip({ ids, body }: MutationCall<'userId'>): Promise<UpdateCipPayload> {
    const updated = await andThen(readUpdateCip(body), (check) =>
      this.deps.links.updateCip(ids.userId, check),
    );
    return toPayload('identity', updated, presentIdentity);
  }
}
