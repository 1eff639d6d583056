import { Directive, Field, ObjectType } from 'type-graphql';
import { type Failure, nameFirst } from '../errors/result.ts';

@ObjectType({ description: 'A reason why a mutation failed. A mutation that fails changes nothing.' })
@Directive('@shareable')
export class UserError {
  @Field(() => String, { description: 'Stable code, the same as on the REST surfaces. Branch on this.' })
  code!: string;

  @Field(() => String, { description: 'What is wrong, for people.' })
  message!: string;

  @Field(() => [String], {
    nullable: true,
    description: 'Path of the wrong value in the input, if there is one.',
  })
  path?: string[];
}

/** The reasons in the form of payloads, at most 20. */
export function toUserErrors(failures: readonly Failure[]): UserError[] {
  return nameFirst(failures).map(({ path, ...rest }) =>
    path === undefined ? rest : { ...rest, path: [...path] },
  );
}
