import { Field, ID, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import type { DataRequestStatus as Status, DataRequest as StoredRequest } from '../link.ts';

const DataRequestStatus = textEnum<Status>('DataRequestStatus', 'State of a data request.', {
  open: 'Created; waits for the answer.',
  fulfilled: 'Answered.',
});

@ObjectType({ description: 'A request for more data about a user.' })
export class DataRequest {
  @Field(() => ID, { description: 'Id of the data request: dataRequestId in the REST API.' })
  id!: string;

  @Field(() => String, { description: 'Id that the partner gave the user.' })
  referenceId!: string;

  @Field(() => ID, { description: 'The link that needs more user data.' })
  linkId!: string;

  @Field(() => [String], {
    description: 'Requested fields: some of name, idType, idNumber, dob, paymentMethod and idImage.',
  })
  fields!: string[];

  @Field(() => DataRequestStatus, { description: 'Current status.' })
  status!: Status;

  @Field(() => DateTimeScalar, { description: 'When it was created.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was answered; null until then.' })
  fulfilledAt!: Date | null;
}

/** The GraphQL shape of a data request. */
export function presentDataRequest({ dataRequestId, fulfilledAt, ...request }: StoredRequest): DataRequest {
  return { ...request, id: dataRequestId, fulfilledAt: fulfilledAt ?? null };
}
