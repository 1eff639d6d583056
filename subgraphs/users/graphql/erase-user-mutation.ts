import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { authorize } from '../../graph/authorize.ts';
import { toPayload } from '../../graph/documented-mutation.ts';
import { RequiresAllScopes } from '../../graph/requires-scopes.ts';
import { andThen } from '../../kernel/errors/result.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import type { ApiKeys } from '../../partners/keys/service.ts';
import { readEraseUser } from '../commands/erase-user.ts';
import { blockerOf } from '../use-cases/block-user.ts';
import type { UserErasure } from '../use-cases/erase-user.ts';
import { EraseUserInput, EraseUserPayload } from './inputs.ts';
import { toUser } from './user.type.ts';

/** The erasure of a user. It reaches the records of all slices: the gateway adds it to the subgraph of users. */
@Resolver()
export class EraseUserMutation {
  constructor(
    private readonly erasure: Pick<UserErasure, 'erase'>,
    readonly apiKeys: Pick<ApiKeys, 'find'>,
  ) {}

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => EraseUserPayload, {
    description:
      'Erases the personal data of a user, for good: of the user, the contacts, the payment methods and the links, and in all payments and webhooks. Ids, amounts, currencies, statuses and times stay. The user must have no open payment and no link that works. New data for the user is refused from then on. Repeating the call has no effect.',
  })
  async eraseUser(
    @Arg('input', () => EraseUserInput, { description: 'The user.' }) { id, reason }: EraseUserInput,
    @Ctx() context: RequestContext,
  ): Promise<EraseUserPayload> {
    const principal = authorize(context);
    const { accountId } = principal;
    const erased = await andThen(readEraseUser({ reason }), async (command) =>
      this.erasure.erase({ accountId, userId: id }, command, await blockerOf(this, principal)),
    );
    return toPayload('user', erased, toUser);
  }
}
