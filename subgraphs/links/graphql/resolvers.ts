import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { authorize } from '../../platform/graphql/authorize.ts';
import { mapConnection } from '../../platform/graphql/connection.ts';
import { PageArgs } from '../../platform/graphql/page-args.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import type { RequestContext } from '../../platform/principal.ts';
import type { LinkService } from '../service.ts';
import { LinkActivityConnection, toActivity } from './activity.type.ts';
import { Link, LinkConnection, User } from './link.type.ts';
import { LinkSortInput, LinkWhereInput, toListing } from './listing.ts';
import type { PresentLink } from './presenter.ts';

/** What the resolvers of links stand on. */
export interface LinkResolverDeps {
  links: LinkService;
  present: PresentLink;
}

@Resolver(() => Link)
export class LinkResolver {
  readonly #links: LinkService;
  readonly #present: PresentLink;

  constructor({ links, present }: LinkResolverDeps) {
    this.#links = links;
    this.#present = present;
  }

  @RequiresScopes('partner')
  @Query(() => Link, { nullable: true, description: "One of the partner's links; null when there is none." })
  async link(
    @Arg('id', () => ID, { description: 'The linkId.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Link | null> {
    const found = (await this.#links.findByIds(authorize(context), [id])).get(id);
    return found ? this.#present(found) : null;
  }

  @RequiresScopes('partner')
  @Query(() => LinkConnection, { description: "The partner's links." })
  async links(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('where', () => LinkWhereInput, { nullable: true, description: 'Which links; all when absent.' })
    where: LinkWhereInput | null,
    @Arg('sortBy', () => LinkSortInput, {
      nullable: true,
      description: 'Their order; newest first when absent.',
    })
    sortBy: LinkSortInput | null,
    @Ctx() context: RequestContext,
  ): Promise<LinkConnection> {
    const found = await this.#links.list(authorize(context), toListing(where, sortBy), page);
    return mapConnection(found, this.#present, LinkConnection);
  }

  @RequiresScopes('partner')
  @FieldResolver(() => LinkActivityConnection, {
    description: 'What happened to the link, in order of time.',
  })
  async activities(
    @Root() link: Link,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<LinkActivityConnection> {
    const found = await this.#links.listActivities(authorize(context), link.id, page);
    return mapConnection(found, toActivity, LinkActivityConnection);
  }
}

@Resolver(() => User)
export class UserLinksResolver {
  readonly #links: LinkService;
  readonly #present: PresentLink;

  constructor({ links, present }: LinkResolverDeps) {
    this.#links = links;
    this.#present = present;
  }

  @RequiresScopes('partner')
  @FieldResolver(() => LinkConnection, { description: "The user's links, newest first." })
  async links(
    @Root() user: User,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<LinkConnection> {
    const found = await this.#links.list(authorize(context), toListing({ userId: user.id }, null), page);
    return mapConnection(found, this.#present, LinkConnection);
  }
}
