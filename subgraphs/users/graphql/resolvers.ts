import { Arg, Args, Ctx, Directive, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql';
import { authorize, graphqlError, unwrap } from '../../graph/authorize.ts';
import { mapConnection } from '../../graph/connection.ts';
import { toPagePayload } from '../../graph/numbered-page.type.ts';
import { PageArgs } from '../../graph/page-args.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import type { Reveals } from '../../partners/request-log/reveals.ts';
import type { UserService } from '../service.ts';
import type { PersonKey } from '../user.ts';
import { Contact, ContactConnection, contactPresenter } from './contact.type.ts';
import { UserPageArgs } from './inputs.ts';
import { toListing, UserSortInput, UserWhereInput } from './listing.ts';
import { PaymentMethod, PaymentMethodConnection, paymentMethodPresenter } from './payment-method.type.ts';
import { toUser, User, UserConnection, UserPage } from './user.type.ts';

const DEFAULT_FREQUENT = 10;

@Resolver(() => User)
export class UserResolver {
  constructor(
    private readonly service: UserService,
    private readonly reveals: Reveals,
  ) {}

  @RequiresScopes('partner')
  @Query(() => User, {
    nullable: true,
    description: "The partner's user with this id; null if there is none.",
  })
  async user(
    @Arg('id', () => ID, { description: 'The userId.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<User | null> {
    const found = await this.service.findByIds(authorize(context), [id]);
    const user = found.get(id);
    return user ? toUser(user) : null;
  }

  @RequiresScopes('partner')
  @Query(() => UserConnection, { description: "The partner's users." })
  async users(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('where', () => UserWhereInput, { nullable: true, description: 'Filter; all users when absent.' })
    where: UserWhereInput | null,
    @Arg('sortBy', () => UserSortInput, {
      nullable: true,
      description: 'Order of the results; newest first when absent.',
    })
    sortBy: UserSortInput | null,
    @Ctx() context: RequestContext,
  ): Promise<UserConnection> {
    const found = await this.service.list(authorize(context), toListing(where, sortBy), page);
    if (where?.phoneNumber != null || where?.email != null) {
      // Found by contact data: the caller knows now that it is theirs.
      await Promise.all(found.nodes.map(({ userId }) => this.reveals.reveal(context, userId, undefined)));
    }
    return mapConnection(found, toUser, UserConnection);
  }

  @RequiresScopes('partner')
  @Query(() => UserPage, { description: 'GET /partner/users: the query as it was sent.' })
  @Directive('@inaccessible')
  async userPage(
    @Args(() => UserPageArgs) query: UserPageArgs,
    @Ctx() context: RequestContext,
  ): Promise<UserPage> {
    return toPagePayload(await this.service.page(authorize(context), query), toUser);
  }

  @RequiresScopes('partner')
  @Query(() => User, {
    nullable: true,
    description: 'GET /v1/user/token-v2: the user registered with a phone number, or with an email.',
  })
  @Directive('@inaccessible')
  async userToken(
    @Arg('phoneNumber', () => String, {
      nullable: true,
      description: "E.164, or the national form of the partner's country.",
    })
    phoneNumber: string | null,
    @Arg('email', () => String, { nullable: true, description: 'The email, letter case aside.' })
    email: string | null,
    @Ctx() context: RequestContext,
  ): Promise<User | null> {
    const principal = authorize(context);
    const found = await this.service.findBy(principal, toPersonKey(phoneNumber, email));
    return found ? toUser(found) : null;
  }

  @RequiresScopes('partner')
  @FieldResolver(() => ContactConnection, { description: "The user's contacts, newest first." })
  async contacts(
    @Root() user: User,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<ContactConnection> {
    const principal = authorize(context);
    const found = await this.service.listContacts(principal, user.id, page);
    return mapConnection(found, contactPresenter(found.nodes, this.service, principal), ContactConnection);
  }

  @RequiresScopes('partner')
  @FieldResolver(() => [Contact], {
    description:
      'Contacts that the user asked for money, the most often asked first; of equals, the latest asked first.',
  })
  async frequentContacts(
    @Root() user: User,
    @Arg('limit', () => Int, {
      nullable: true,
      description: 'Maximum number of results, 1 to 100; 10 when absent.',
    })
    limit: number | null,
    @Ctx() context: RequestContext,
  ): Promise<Contact[]> {
    const principal = authorize(context);
    const found = unwrap(await this.service.frequentContacts(principal, user.id, limit ?? DEFAULT_FREQUENT));
    return found.map(contactPresenter(found, this.service, principal));
  }

  @RequiresScopes('partner')
  @FieldResolver(() => PaymentMethodConnection, { description: "The user's payout methods, newest first." })
  async paymentMethods(
    @Root() user: User,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<PaymentMethodConnection> {
    const principal = authorize(context);
    const found = await this.service.listPaymentMethods(principal, user.id, page);
    const present = paymentMethodPresenter(found.nodes, this.service, principal);
    return mapConnection(found, present, PaymentMethodConnection);
  }
}

@Resolver(() => Contact)
export class ContactResolver {
  constructor(private readonly users: UserService) {}

  @RequiresScopes('partner')
  @Query(() => [Contact], { description: 'GET /v1/user/operations/frequent/{userToken}/{limit}.' })
  @Directive('@inaccessible')
  async frequentContacts(
    @Arg('userToken', () => ID, { description: 'The userId.' }) userToken: string,
    @Arg('limit', () => String, { description: 'As in the path: an integer of 1 to 100.' }) limit: string,
    @Ctx() context: RequestContext,
  ): Promise<Contact[]> {
    const principal = authorize(context);
    const found = unwrap(await this.users.frequentContactsByToken(principal, userToken, limit));
    return found.map(contactPresenter(found, this.users, principal));
  }

  @RequiresScopes('partner')
  @FieldResolver(() => User, {
    nullable: true,
    description: "The partner's user that is registered with this phone number; null if there is none.",
  })
  async registeredUser(@Root() contact: Contact, @Ctx() context: RequestContext): Promise<User | null> {
    authorize(context);
    const found = await contact.findRegistered();
    return found ? toUser(found) : null;
  }

  @RequiresScopes('partner')
  @FieldResolver(() => User, { description: 'User who has this contact.' })
  async user(@Root() contact: Contact, @Ctx() context: RequestContext): Promise<User> {
    authorize(context);
    return contact.findOwner();
  }
}

@Resolver(() => PaymentMethod)
export class PaymentMethodResolver {
  @RequiresScopes('partner')
  @FieldResolver(() => User, { description: 'User who is paid out by it.' })
  async user(@Root() method: PaymentMethod, @Ctx() context: RequestContext): Promise<User> {
    authorize(context);
    return method.findOwner();
  }
}

/** @throws GraphQLError BAD_USER_INPUT unless exactly one is given */
function toPersonKey(phoneNumber: string | null, email: string | null): PersonKey {
  if (phoneNumber != null && email == null) {
    return { phoneNumber };
  }
  if (phoneNumber == null && email != null) {
    return { email };
  }
  throw graphqlError('BAD_USER_INPUT', 'Give phoneNumber or email, not both.');
}
