import { ArgsType, Field, Int } from 'type-graphql';

@ArgsType()
export class PageArgs {
  @Field(() => Int, {
    nullable: true,
    description:
      'Maximum number of records from the start, 1 to 100; 20 when neither `first` nor `last` is given.',
  })
  first?: number | null;

  @Field(() => String, { nullable: true, description: 'Only records after this cursor.' })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Maximum number of records from the end, 1 to 100. Not together with `first`.',
  })
  last?: number | null;

  @Field(() => String, { nullable: true, description: 'Only records before this cursor.' })
  before?: string | null;
}
