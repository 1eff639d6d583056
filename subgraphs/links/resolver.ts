import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { authorize } from '../platform/graphql/authorize.ts';
import { mapConnection } from '../platform/graphql/connection.ts';
import { PageArgs } from '../platform/graphql/page-args.ts';
import { RequiresScopes } from '../platform/graphql/requires-scopes.ts';
import { toUserErrors } from '../platform/graphql/user-error.type.ts';
import type { RequestContext } from '../platform/principal.ts';
import type { LinkService } from './service.ts';
import { CreateLinkInput, CreateLinkPayload, Link, LinkConnection, toLink, User } from './type.ts';

@Resolver(() => Link)
export class LinkResolver {
  readonly #links: LinkService;

  constructor(links: LinkService) {
    this.#links = links;
  }

  @RequiresScopes('partner')
  @Query(() => Link, { nullable: true, description: "One of the partner's links; null when there is none." })
  async link(
    @Arg('id', () => ID, { description: 'The linkId.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Link | null> {
    const found = (await this.#links.findByIds(authorize(context), [id])).get(id);
    return found ? toLink(found) : null;
  }

  @RequiresScopes('partner')
  @Query(() => LinkConnection, { description: "The partner's links, newest first." })
  async links(@Args(() => PageArgs) page: PageArgs, @Ctx() context: RequestContext): Promise<LinkConnection> {
    return mapConnection(await this.#links.list(authorize(context), {}, page), toLink, LinkConnection);
  }

  @RequiresScopes('partner')
  @Mutation(() => CreateLinkPayload, {
    description: 'Makes a link for a user, and the user when the reference is new.',
  })
  async createLink(
    @Arg('input', () => CreateLinkInput, { description: 'The link to make.' }) input: CreateLinkInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateLinkPayload> {
    const created = await this.#links.create(authorize(context), input);
    return created.ok
      ? { link: toLink(created.value), userErrors: [] }
      : { link: null, userErrors: toUserErrors(created.refusals) };
  }
}

@Resolver(() => User)
export class UserLinksResolver {
  readonly #links: LinkService;

  constructor(links: LinkService) {
    this.#links = links;
  }

  @RequiresScopes('partner')
  @FieldResolver(() => LinkConnection, { description: "The user's links, newest first." })
  async links(
    @Root() user: User,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<LinkConnection> {
    const found = await this.#links.list(authorize(context), { userId: user.id }, page);
    return mapConnection(found, toLink, LinkConnection);
  }
}
