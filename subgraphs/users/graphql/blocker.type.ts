import { Field, ID, ObjectType } from 'type-graphql';
import { textEnum } from '../../graph/text-enum.ts';
import type { Blocker as StoredBlocker } from '../user.ts';

type BlockerKind = StoredBlocker['kind'];
const BlockerKind = textEnum<BlockerKind>('BlockerKind', 'Kind of caller that blocked a user.', {
  API_KEY: "A program with one of the partner's API keys, by GraphQL or REST.",
  CONSOLE_SESSION: 'A person in a console session.',
  OPERATOR: 'An operator of the platform, by erasing the user.',
});

@ObjectType({ description: 'Caller that blocked a user, with its name at that time.' })
export class Blocker {
  @Field(() => BlockerKind, { description: 'Kind of the caller.' })
  kind!: BlockerKind;

  @Field(() => ID, {
    nullable: true,
    description: 'Id of the API key or of the console session; null for an operator of the platform.',
  })
  id!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Label of the API key, or its first characters if it has no label; label of the console session. Null if there is none.',
  })
  name!: string | null;
}

/** The GraphQL shape of a stored caller. */
export function toBlocker({ kind, id, name }: StoredBlocker): Blocker {
  return { kind, id: id ?? null, name: name ?? null };
}
