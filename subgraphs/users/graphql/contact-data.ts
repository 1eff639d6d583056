import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../kernel/principal.ts';
import type { Reveals } from '../../partners/request-log/reveals.ts';
import { Contact } from './contact.type.ts';
import { PaymentMethod } from './payment-method.type.ts';
import { User } from './user.type.ts';

/**
 * The fields by which somebody can reach or impersonate a user. Reading them in the console is on record: these resolvers
 * serve every document and every way to a user.
 */
@Resolver(() => User)
export class ContactDataResolver {
  constructor(private readonly reveals: Reveals) {}

  @FieldResolver()
  phoneNumber(@Root() user: User, @Ctx() context: RequestContext): string | null | Promise<string | null> {
    return this.reveals.reveal(context, user.id, user.phoneNumber);
  }

  @FieldResolver()
  email(@Root() user: User, @Ctx() context: RequestContext): string | null | Promise<string | null> {
    return this.reveals.reveal(context, user.id, user.email);
  }

  @FieldResolver()
  dob(@Root() user: User, @Ctx() context: RequestContext): string | null | Promise<string | null> {
    return this.reveals.reveal(context, user.id, user.dob);
  }

  @FieldResolver()
  cipResult(
    @Root() user: User,
    @Ctx() context: RequestContext,
  ): User['cipResult'] | Promise<User['cipResult']> {
    return this.reveals.reveal(context, user.id, user.cipResult);
  }
}

/** The same of the people that users ask for money. */
@Resolver(() => Contact)
export class ContactsDataResolver {
  constructor(private readonly reveals: Reveals) {}

  @FieldResolver()
  phoneNumber(@Root() contact: Contact, @Ctx() context: RequestContext): string | Promise<string> {
    return this.reveals.reveal(context, contact.id, contact.phoneNumber);
  }

  @FieldResolver()
  email(@Root() contact: Contact, @Ctx() context: RequestContext): string | null | Promise<string | null> {
    return this.reveals.reveal(context, contact.id, contact.email);
  }
}

/** The same of the account that a user is paid out to. */
@Resolver(() => PaymentMethod)
export class PaymentDataResolver {
  constructor(private readonly reveals: Reveals) {}

  @FieldResolver()
  number(
    @Root() method: PaymentMethod,
    @Ctx() context: RequestContext,
  ): string | null | Promise<string | null> {
    return this.reveals.reveal(context, method.id, method.number);
  }
}
