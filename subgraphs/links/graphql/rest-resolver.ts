import { Arg, Args, Ctx, Directive, ID, Mutation, Query, Resolver } from 'type-graphql';
import { authorize } from '../../platform/graphql/authorize.ts';
import { toPagePayload } from '../../platform/graphql/numbered-page.type.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import type { RequestContext } from '../../platform/principal.ts';
import type { LinkService } from '../service.ts';
import { LinkActivity, toActivity } from './activity.type.ts';
import { dataRequestPayload, linkPayload, ticketPayload } from './mutations.ts';
import {
  CreateCipTicketPayload,
  CreateLinkPayload,
  FulfilDataRequestPayload,
  LinkImage,
  LinkPage,
  LinkPageArgs,
  RevokeLinkPayload,
} from './payloads.ts';
import type { PresentLink } from './presenter.ts';
import type { LinkResolverDeps } from './resolvers.ts';

/** What the REST surface of document 3 asks, hidden from clients: bodies and queries as they were sent. */
@Resolver()
export class LinkRestResolver {
  readonly #links: LinkService;
  readonly #present: PresentLink;

  constructor({ links, present }: LinkResolverDeps) {
    this.#links = links;
    this.#present = present;
  }

  @RequiresScopes('partner')
  @Mutation(() => CreateLinkPayload, { description: 'POST /partner/links: the body as it was sent.' })
  @Directive('@inaccessible')
  async createLinkFromJson(
    @Arg('body', () => String, { description: 'The JSON text of the request.' }) body: string,
    @Ctx() context: RequestContext,
  ): Promise<CreateLinkPayload> {
    return linkPayload(await this.#links.create(authorize(context), parseJson(body)?.value), this.#present);
  }

  @RequiresScopes('partner')
  @Mutation(() => RevokeLinkPayload, { description: 'POST /partner/links/{linkId}/revoke.' })
  @Directive('@inaccessible')
  async revokeLinkById(
    @Arg('linkId', () => ID, { description: 'The link of the path.' }) linkId: string,
    @Ctx() context: RequestContext,
  ): Promise<RevokeLinkPayload> {
    return linkPayload(await this.#links.revoke(authorize(context), linkId), this.#present);
  }

  @RequiresScopes('partner')
  @Mutation(() => CreateCipTicketPayload, {
    description: 'POST /partner/cip/tickets: the body as it was sent.',
  })
  @Directive('@inaccessible')
  async createCipTicketFromJson(
    @Arg('body', () => String, { description: 'The JSON text of the request.' }) body: string,
    @Ctx() context: RequestContext,
  ): Promise<CreateCipTicketPayload> {
    return ticketPayload(
      await this.#links.createTicket(authorize(context), parseJson(body)?.value),
      this.#present,
    );
  }

  @RequiresScopes('partner')
  @Mutation(() => FulfilDataRequestPayload, {
    description: 'PUT /partner/data-requests/{dataRequestId}: the body as it was sent.',
  })
  @Directive('@inaccessible')
  async fulfilDataRequestFromJson(
    @Arg('dataRequestId', () => ID, { description: 'The data request of the path.' }) dataRequestId: string,
    @Arg('body', () => String, { description: 'The JSON text of the request.' }) body: string,
    @Ctx() context: RequestContext,
  ): Promise<FulfilDataRequestPayload> {
    return dataRequestPayload(
      await this.#links.fulfil(authorize(context), dataRequestId, parseJson(body)?.value),
    );
  }

  @RequiresScopes('partner')
  @Query(() => LinkPage, { description: 'GET /partner/links: the query as it was sent.' })
  @Directive('@inaccessible')
  async linkPage(
    @Args(() => LinkPageArgs) query: LinkPageArgs,
    @Ctx() context: RequestContext,
  ): Promise<LinkPage> {
    return toPagePayload(await this.#links.page(authorize(context), query), this.#present);
  }

  @RequiresScopes('partner')
  @Query(() => [LinkActivity], {
    nullable: true,
    description: 'GET /partner/links/{linkId}/activity: the newest 1,000 entries; null for an unknown link.',
  })
  @Directive('@inaccessible')
  async linkActivity(
    @Arg('linkId', () => ID, { description: 'The link of the path.' }) linkId: string,
    @Ctx() context: RequestContext,
  ): Promise<LinkActivity[] | null> {
    const found = await this.#links.timeline(authorize(context), linkId);
    return found ? found.map(toActivity) : null;
  }

  @RequiresScopes('partner')
  @Query(() => LinkImage, {
    nullable: true,
    description: 'GET /partner/links/{linkId}/id-image; null when there is none.',
  })
  @Directive('@inaccessible')
  async linkImage(
    @Arg('linkId', () => ID, { description: 'The link of the path.' }) linkId: string,
    @Ctx() context: RequestContext,
  ): Promise<LinkImage | null> {
    const found = await this.#links.findImage(authorize(context), linkId);
    return found ? { contentType: found.contentType, base64: found.bytes.toString('base64') } : null;
  }
}
