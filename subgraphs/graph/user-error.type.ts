import { Directive, Field, ObjectType } from 'type-graphql';
import { type Failure, nameFirst } from '../kernel/errors/result.ts';

@ObjectType({ description: 'A reason why a mutation failed. A failed mutation changes nothing.' })
@Directive('@shareable')
export class UserError {
  @Field(() => String, { description: 'Stable code, the same as on the REST surfaces. Branch on this.' })
  code!: string;

  @Field(() => String, { description: 'Description of the error, for people.' })
  message!: string;

  @Field(() => [String], {
    nullable: true,
    description:
      'Path of the invalid value in the input, or the name of another argument; null if no value is invalid.',
  })
  path?: string[];
}

/** The reasons in the form of payloads, at most 20. */
export function toUserErrors(failures: readonly Failure[]): UserError[] {
  return nameFirst(failures).map(({ path, ...rest }) =>
    path === undefined ? rest : { ...rest, path: [...path] },
  );
}
