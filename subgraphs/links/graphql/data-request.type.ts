import { Field, ID, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../platform/graphql/scalars.ts';
import { textEnum } from '../../platform/graphql/text-enum.ts';
import type { DataRequestStatus as Status, DataRequest as StoredRequest } from '../link.ts';

const DataRequestStatus = textEnum<Status>('DataRequestStatus', 'State of a data request.', {
  open: 'Created; waits for the answer.',
  fulfilled: 'Answered.',
});

@ObjectType({ description: 'A request for more data about a user.' })
export class DataRequest {
  @Field(() => ID, { description: 'The dataRequestId of the REST surface.' })
  id!: string;

  @Field(() => String, { description: "The partner's own id of the user." })
  referenceId!: string;

  @Field(() => ID, { description: 'The link that needs more user data.' })
  linkId!: string;

  @Field(() => [String], {
    description: 'Requested fields: of name, idType, idNumber, dob, paymentMethod and idImage.',
  })
  fields!: string[];

  @Field(() => DataRequestStatus, { description: 'Its status.' })
  status!: Status;

  @Field(() => DateTimeScalar, { description: 'When it was created.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was answered.' })
  fulfilledAt!: Date | null;
}

/** The GraphQL shape of a data request. */
export function presentDataRequest({ dataRequestId, fulfilledAt, ...request }: StoredRequest): DataRequest {
  return { ...request, id: dataRequestId, fulfilledAt: fulfilledAt ?? null };
}
