import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Result } from '../../platform/errors/result.ts';
import { authorize } from '../../platform/graphql/authorize.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { toUserErrors } from '../../platform/graphql/user-error.type.ts';
import type { RequestContext } from '../../platform/principal.ts';
import type { LinkService } from '../service.ts';
import type { Link as StoredLink } from '../store/link-repository.ts';
import {
  CreateCipTicketInput,
  CreateLinkInput,
  FulfilDataRequestInput,
  RevokeLinkInput,
  toCreateBody,
  toFulfilBody,
} from './inputs.ts';
import type { Link } from './link.type.ts';
import {
  CreateCipTicketPayload,
  CreateLinkPayload,
  FulfilDataRequestPayload,
  RevokeLinkPayload,
} from './payloads.ts';
import { type PresentLink, presentDataRequest, presentTicket } from './presenter.ts';
import type { LinkResolverDeps } from './resolvers.ts';

@Resolver()
export class LinkMutations {
  readonly #links: LinkService;
  readonly #present: PresentLink;

  constructor({ links, present }: LinkResolverDeps) {
    this.#links = links;
    this.#present = present;
  }

  @RequiresScopes('partner')
  @Mutation(() => CreateLinkPayload, {
    description: 'Makes a link for a user, and the user when the reference is new.',
  })
  async createLink(
    @Arg('input', () => CreateLinkInput, { description: 'The link to make.' }) input: CreateLinkInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateLinkPayload> {
    return linkPayload(await this.#links.create(authorize(context), toCreateBody(input)), this.#present);
  }

  @RequiresScopes('partner')
  @Mutation(() => RevokeLinkPayload, { description: 'Revokes a link: it cannot be opened any more.' })
  async revokeLink(
    @Arg('input', () => RevokeLinkInput, { description: 'The link to revoke.' }) input: RevokeLinkInput,
    @Ctx() context: RequestContext,
  ): Promise<RevokeLinkPayload> {
    return linkPayload(await this.#links.revoke(authorize(context), input.linkId), this.#present);
  }

  @RequiresScopes('partner')
  @Mutation(() => CreateCipTicketPayload, {
    description: 'Asks for an identity check of the user of a link that is ready for it.',
  })
  async createCipTicket(
    @Arg('input', () => CreateCipTicketInput, { description: 'The check to ask for.' })
    { linkId }: CreateCipTicketInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateCipTicketPayload> {
    return ticketPayload(await this.#links.createTicket(authorize(context), { linkId }), this.#present);
  }

  @RequiresScopes('partner')
  @Mutation(() => FulfilDataRequestPayload, {
    description: "Answers a data request; what it asked for is merged into the link's user data.",
  })
  async fulfilDataRequest(
    @Arg('input', () => FulfilDataRequestInput, { description: 'The answer.' })
    input: FulfilDataRequestInput,
    @Ctx() context: RequestContext,
  ): Promise<FulfilDataRequestPayload> {
    const { dataRequestId } = input;
    return dataRequestPayload(
      await this.#links.fulfil(authorize(context), dataRequestId, toFulfilBody(input)),
    );
  }
}

/** A link, or why not. */
export function linkPayload(
  result: Result<StoredLink>,
  present: PresentLink,
): { link: Link | null; userErrors: CreateLinkPayload['userErrors'] } {
  return result.ok
    ? { link: present(result.value), userErrors: [] }
    : { link: null, userErrors: toUserErrors(result.failures) };
}

/** A ticket, or why not. */
export function ticketPayload(
  result: Awaited<ReturnType<LinkService['createTicket']>>,
  present: PresentLink,
): CreateCipTicketPayload {
  return result.ok
    ? { ticket: presentTicket(result.value, present), userErrors: [] }
    : { ticket: null, userErrors: toUserErrors(result.failures) };
}

/** A data request, or why not. */
export function dataRequestPayload(
  result: Awaited<ReturnType<LinkService['fulfil']>>,
): FulfilDataRequestPayload {
  return result.ok
    ? { dataRequest: presentDataRequest(result.value), userErrors: [] }
    : { dataRequest: null, userErrors: toUserErrors(result.failures) };
}
