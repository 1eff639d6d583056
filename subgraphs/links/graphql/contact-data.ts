import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../kernel/principal.ts';
import type { Reveals } from '../../partners/request-log/reveals.ts';
import { LinkUserData } from './link.type.ts';

type PaymentMethod = LinkUserData['paymentMethod'];

/** The user data of a link: reading it in the console is on record, as reading the user's own data is. */
@Resolver(() => LinkUserData)
export class LinkContactDataResolver {
  constructor(private readonly reveals: Reveals) {}

  @FieldResolver()
  dob(@Root() data: LinkUserData, @Ctx() context: RequestContext): string | null | Promise<string | null> {
    return this.reveals.reveal(context, data.userId, data.dob);
  }

  @FieldResolver()
  paymentMethod(
    @Root() data: LinkUserData,
    @Ctx() context: RequestContext,
  ): PaymentMethod | Promise<PaymentMethod> {
    return this.reveals.reveal(context, data.userId, data.paymentMethod);
  }
}
