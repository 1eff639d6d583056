import { Directive, Field, Int, ObjectType } from 'type-graphql';
import type { WithdrawalStatus as Status, Withdrawal as Stored } from '../providers/withdrawal.ts';
import { DateTimeScalar } from './scalars.ts';
import { textEnum } from './text-enum.ts';

export type WithdrawalStatus = Status;
export const WithdrawalStatus = textEnum<Status>(
  'WithdrawalStatus',
  'How far the withdrawal of a request from its payer has come.',
  {
    PENDING: 'The funding provider is asked to withdraw the request, for 72 hours at most. Wait.',
    CANCELLED: 'The request was withdrawn. It is safe to request the money again, with a new id.',
    NOT_FOUND:
      'The funding provider has no such request. It is safe to request the money again, with a new id.',
    ALREADY_PAID: 'The payer has paid: there is an operation.',
    UNKNOWN:
      'The funding provider has not answered for 72 hours. Do not request the money again: contact support.',
  },
);

@ObjectType({ description: 'The withdrawal of a request for money that its payer may hold.' })
@Directive('@shareable')
export class Withdrawal {
  @Field(() => WithdrawalStatus, { description: 'How far it has come.' })
  status!: WithdrawalStatus;

  @Field(() => DateTimeScalar, { description: 'When it began.' })
  since!: Date;

  @Field(() => Int, { description: 'Attempts that the funding provider gave no readable answer to.' })
  attempts!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Why the last of these attempts failed; null if none failed.',
  })
  lastError!: string | null;
}

/** The GraphQL shape of a stored withdrawal. */
export function toWithdrawal({ status, since, attempts, lastError }: Stored): Withdrawal {
  return { status, since, attempts, lastError: lastError?.message ?? null };
}
