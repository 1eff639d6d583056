import { Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import { textEnum } from '../../graph/text-enum.ts';
import { type WebhookSubject as Subject, subjectOf } from '../../webhooks/subject.ts';
import { WebhookDelivery } from './delivery.type.ts';

const WebhookSubjectKind = textEnum<Subject['kind']>(
  'WebhookSubjectKind',
  'Kind of record that a webhook is about.',
  {
    request_money: 'A money request, by its referenceId.',
    remittance: 'An atomic call, by its correlationId.',
    link: 'A link, by its linkId.',
  },
);

@ObjectType({ description: 'The record that a webhook is about.' })
class WebhookSubject implements Subject {
  @Field(() => WebhookSubjectKind, { description: 'Kind of the record.' })
  kind!: Subject['kind'];

  @Field(() => ID, { description: 'Id of the record: referenceId, correlationId or linkId.' })
  id!: string;
}

/** Ids name nobody: reading the subject of a webhook is not on record, unlike its body. */
@Resolver(() => WebhookDelivery)
export class WebhookSubjectResolver {
  @FieldResolver(() => WebhookSubject, {
    nullable: true,
    description:
      'Record that it is about; null for a test, and for a failed call that named none. A failed create can name a record that does not exist.',
  })
  subject(@Root() { body }: WebhookDelivery): WebhookSubject | null {
    return subjectOf(body) ?? null;
  }
}
