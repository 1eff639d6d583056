import { Directive, Field, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import type { WithdrawalStatus as Status, Withdrawal as Stored } from '../withdrawal.ts';

type WithdrawalStatus = Status;
const WithdrawalStatus = textEnum<Status>(
  'WithdrawalStatus',
  'Status of the withdrawal of a request from its payer.',
  {
    PENDING: 'The service asks the funding provider to withdraw the request, for at most 72 hours. Wait.',
    CANCELLED: 'The request was withdrawn. It is safe to request the money again with a new id.',
    NOT_FOUND:
      'The funding provider has no such request. It is safe to request the money again with a new id.',
    ALREADY_PAID: 'The payer has paid. The operation exists.',
    UNKNOWN:
      'The withdrawal ended without an answer of the funding provider, after 72 hours or because of an internal error. Do not request the money again; contact support.',
  },
);

@ObjectType({ description: 'The withdrawal of a request for money that its payer may have received.' })
@Directive('@shareable')
export class Withdrawal {
  @Field(() => WithdrawalStatus, { description: 'Status of the withdrawal.' })
  status!: WithdrawalStatus;

  @Field(() => DateTimeScalar, { description: 'When it started.' })
  since!: Date;

  @Field(() => Int, {
    description: 'Number of attempts to which the funding provider gave no readable answer.',
  })
  attempts!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Why the last of these attempts failed; null if there are none.',
  })
  lastError!: string | null;
}

/** The GraphQL shape of a stored withdrawal. */
export function toWithdrawal({ status, since, attempts, lastError }: Stored): Withdrawal {
  return { status, since, attempts, lastError: lastError?.message ?? null };
}
