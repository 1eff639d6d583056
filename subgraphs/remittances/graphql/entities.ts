import { Directive, Field, ID, ObjectType } from 'type-graphql';

@ObjectType({ description: 'An end user of the partner: the requester of money.' })
@Directive('@key(fields: "id")')
export class User {
  @Field(() => ID, { description: 'Id of the user: userId in the REST APIs.' })
  id!: string;
}

@ObjectType({ description: 'A transfer of money that a request started.' })
@Directive('@key(fields: "id")')
export class Operation {
  @Field(() => ID, {
    description: 'Id of the operation: operationId, or correlationId in document 1, in the REST APIs.',
  })
  id!: string;
}
