import { Arg, Args, Ctx, Directive, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { authorize } from '../../graph/authorize.ts';
import { createBatchLoader } from '../../graph/batch-loader.ts';
import { mapConnection } from '../../graph/connection.ts';
import { toPagePayload } from '../../graph/numbered-page.type.ts';
import { PageArgs } from '../../graph/page-args.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import type { Link as StoredLink } from '../link.ts';
import type { LinkService } from '../service.ts';
import { LinkActivity, LinkActivityConnection, toActivity } from './activity.type.ts';
import { LinkPageArgs } from './inputs.ts';
import { Link, LinkConnection, LinkImage, LinkPage, Operation, type PresentLink, User } from './link.type.ts';
import { LinkSortInput, LinkWhereInput, toListing } from './listing.ts';

/** The dependencies of the resolvers of links. */
export interface LinkResolverDeps {
  links: LinkService;
  present: PresentLink;
}

@Resolver(() => Link)
export class LinkResolver {
  constructor(private readonly deps: LinkResolverDeps) {}

  @RequiresScopes('partner')
  @Query(() => Link, {
    nullable: true,
    description: "The partner's link with this id; null if there is none.",
  })
  async link(
    @Arg('id', () => ID, { description: 'The linkId.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Link | null> {
    const found = (await this.deps.links.findByIds(authorize(context), [id])).get(id);
    return found ? this.deps.present(found) : null;
  }

  @RequiresScopes('partner')
  @Query(() => LinkConnection, { description: "The partner's links." })
  async links(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('where', () => LinkWhereInput, { nullable: true, description: 'Filter; all links when absent.' })
    where: LinkWhereInput | null,
    @Arg('sortBy', () => LinkSortInput, {
      nullable: true,
      description: 'Order of the results; newest first when absent.',
    })
    sortBy: LinkSortInput | null,
    @Ctx() context: RequestContext,
  ): Promise<LinkConnection> {
    const found = await this.deps.links.list(authorize(context), toListing(where, sortBy), page);
    return mapConnection(found, this.deps.present, LinkConnection);
  }

  @RequiresScopes('partner')
  @Query(() => LinkPage, { description: 'GET /partner/links: the query as it was sent.' })
  @Directive('@inaccessible')
  async linkPage(
    @Args(() => LinkPageArgs) query: LinkPageArgs,
    @Ctx() context: RequestContext,
  ): Promise<LinkPage> {
    return toPagePayload(await this.deps.links.page(authorize(context), query), this.deps.present);
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
    const found = await this.deps.links.timeline(authorize(context), linkId);
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
    const found = await this.deps.links.findImage(authorize(context), linkId);
    return found ? { contentType: found.contentType, base64: found.bytes.toString('base64') } : null;
  }

  @RequiresScopes('partner')
  @FieldResolver(() => LinkActivityConnection, {
    description: 'Activities of the link, oldest first.',
  })
  async activities(
    @Root() link: Link,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<LinkActivityConnection> {
    const found = await this.deps.links.listActivities(authorize(context), link.id, page);
    return mapConnection(found, toActivity, LinkActivityConnection);
  }
}

@Resolver(() => User)
export class UserLinksResolver {
  constructor(private readonly deps: LinkResolverDeps) {}

  @RequiresScopes('partner')
  @FieldResolver(() => LinkConnection, { description: "The user's links, newest first." })
  async links(
    @Root() user: User,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<LinkConnection> {
    const found = await this.deps.links.list(authorize(context), toListing({ userId: user.id }, null), page);
    return mapConnection(found, this.deps.present, LinkConnection);
  }
}

@Resolver(() => Operation)
export class OperationLinkResolver {
  readonly #load: (context: RequestContext, operationId: string) => Promise<StoredLink | undefined>;

  constructor(private readonly deps: LinkResolverDeps) {
    this.#load = createBatchLoader((context, ids) => deps.links.findByOperations(authorize(context), ids));
  }

  @FieldResolver(() => Link, {
    nullable: true,
    description: 'Link from which the user started the operation; null if there is none.',
  })
  async link(@Root() { id, link }: Operation, @Ctx() context: RequestContext): Promise<Link | null> {
    if (link) {
      return link;
    }
    const found = await this.#load(context, id);
    return found ? this.deps.present(found) : null;
  }
}
