import { type ClassType, Directive, Field, ObjectType } from 'type-graphql';
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
      'Path of the invalid value in the input, or the name of another argument; with INSUFFICIENT_USER_DATA, path of the missing value in the link. Null if no value is invalid.',
  })
  path?: string[];
}

/** The reasons in the form of payloads, at most 20. */
export function toUserErrors(failures: readonly Failure[]): UserError[] {
  return nameFirst(failures).map(({ path, ...rest }) =>
    path === undefined ? rest : { ...rest, path: [...path] },
  );
}

/** The payload of every mutation: what it changed, under its own name, or why it failed. */
export type MutationPayload<Field extends string, Shown> = Record<Field, Shown | null> & {
  userErrors: UserError[];
};

/**
 * The base of a payload with one record. The payload adds its own name and description.
 * @param description of the record
 */
export function payloadType<Name extends string, Shown extends object>(
  name: Name,
  type: ClassType<Shown>,
  description: string,
): ClassType<MutationPayload<Name, Shown>> {
  @ObjectType()
  class Payload {}
  Field(() => type, { nullable: true, description })(Payload.prototype, name);
  Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })(
    Payload.prototype,
    'userErrors',
  );
  // The cast: the compiler does not see fields that are declared by their names.
  return Payload as ClassType<MutationPayload<Name, Shown>>;
}
