import { Field, InputType, registerEnumType } from 'type-graphql';
import { SortDirection, TimeRangeInput, toTimeCondition } from '../../platform/graphql/listing.ts';
import type { DeliveryListing } from '../../platform/webhooks/deliveries.ts';
import { WebhookDeliveryStatus } from './delivery.type.ts';

@InputType({ description: 'Webhooks to list; all given conditions must hold.' })
export class WebhookDeliveryWhereInput {
  @Field(() => [WebhookDeliveryStatus], { nullable: true, description: 'In one of these statuses.' })
  status?: WebhookDeliveryStatus[] | null;

  @Field(() => String, { nullable: true, description: 'Of this event.' })
  event?: string | null;

  @Field(() => TimeRangeInput, { nullable: true, description: 'Of events that happened in this span.' })
  createdAt?: TimeRangeInput | null;
}

export enum WebhookDeliverySortField {
  CREATED_AT = 'createdAt',
}
registerEnumType(WebhookDeliverySortField, {
  name: 'WebhookDeliverySortField',
  description: 'Key by which a list of webhooks is ordered.',
  valuesConfig: { CREATED_AT: { description: 'When the event happened.' } },
});

@InputType({ description: 'The order of a list of webhooks.' })
export class WebhookDeliverySortInput {
  @Field(() => WebhookDeliverySortField, { description: 'Key of the order.' })
  field!: WebhookDeliverySortField;

  @Field(() => SortDirection, { nullable: true, description: 'Which end comes first; DESC when absent.' })
  direction?: SortDirection | null;
}

/** Each combination has an index (model.ts). */
export function toListing(
  where: WebhookDeliveryWhereInput | null | undefined,
  sortBy: WebhookDeliverySortInput | null | undefined,
): DeliveryListing {
  const createdAt = toTimeCondition(where?.createdAt);
  const { status, event } = where ?? {};
  return {
    ...(status == null ? {} : { status }),
    ...(event == null ? {} : { event }),
    ...(createdAt === undefined ? {} : { createdAt }),
    direction: sortBy?.direction ?? SortDirection.DESC,
  };
}
