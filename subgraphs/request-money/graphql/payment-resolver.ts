import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { authorize } from '../../graph/authorize.ts';
import { mapConnection } from '../../graph/connection.ts';
import { PageArgs } from '../../graph/page-args.ts';
import type { AccountUser } from '../../graph/payment-source.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { DateTimeScalar } from '../../graph/scalars.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import { User } from '../../remittances/index.ts';
import type { UserPayments } from '../use-cases/user-payments.ts';
import { PaymentConnection, PaymentTotals, toPayment, toPaymentTotals } from './payment.type.ts';

/** The payments of users, of every kind. */
@Resolver(() => User)
export class UserPaymentsResolver {
  constructor(
    private readonly all: UserPayments,
    /** The present time, which decides what is stuck. */
    private readonly now: () => Date,
  ) {}

  @RequiresScopes('partner')
  @FieldResolver(() => PaymentConnection, {
    description:
      "The user's payments of every kind in one list, newest first: money requests, atomic calls, requests by v2, and their operations. Each payment is there once.",
  })
  async payments(
    @Root() user: User,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<PaymentConnection> {
    const found = await this.all.page(accountUserOf(user, context), page);
    const now = this.now();
    return mapConnection(found, (payment) => toPayment(payment, now), PaymentConnection);
  }

  @RequiresScopes('partner')
  @FieldResolver(() => PaymentTotals, { description: "Number and sums of the user's payments, by currency." })
  async paymentTotals(@Root() user: User, @Ctx() context: RequestContext): Promise<PaymentTotals> {
    return toPaymentTotals(await this.all.totals(accountUserOf(user, context)));
  }

  @RequiresScopes('partner')
  @FieldResolver(() => DateTimeScalar, {
    nullable: true,
    description:
      "When the user's newest payment began, or an operation of the user last changed, whichever is later; null if there is neither.",
  })
  async lastActivityAt(@Root() user: User, @Ctx() context: RequestContext): Promise<Date | null> {
    return (await this.all.lastActivityAt(accountUserOf(user, context))) ?? null;
  }
}

function accountUserOf({ id: userId }: User, context: RequestContext): AccountUser {
  return { accountId: authorize(context).accountId, userId };
}
