import { Directive, Field, ID, ObjectType } from 'type-graphql';
import { JsonObjectScalar } from '../../graph/json-object.ts';
import { DateTimeScalar } from '../../graph/scalars.ts';
import type { CheckedUser } from '../link.ts';

@ObjectType({ description: "The state of a user's identity check." })
@Directive('@inaccessible')
export class UserIdentity {
  @Field(() => ID, { description: 'The userId.' })
  userId!: string;

  @Field(() => String, { description: 'pending, verified or failed.' })
  cipStatus!: string;

  @Field(() => String, { nullable: true, description: 'The checker.' })
  cipProvider!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was verified.' })
  cipVerifiedAt!: Date | null;

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: 'Details that the checker reported beside the status.',
  })
  cipResult!: Readonly<Record<string, unknown>> | null;
}

/** The GraphQL shape of a user's identity check. */
export function presentIdentity({ userId, state }: CheckedUser): UserIdentity {
  return {
    userId,
    cipStatus: state.cipStatus,
    cipProvider: state.cipProvider ?? null,
    cipVerifiedAt: state.cipVerifiedAt ?? null,
    cipResult: state.cipResult ?? null,
  };
}
