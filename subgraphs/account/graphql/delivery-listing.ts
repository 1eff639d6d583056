import { Field, InputType, registerEnumType } from 'type-graphql';
import { SortDirection, TimeRangeInput, toTimeCondition } from '../../graph/listing.ts';
import type { DeliveryListing } from '../../webhooks/deliveries.ts';
import { WebhookDeliveryStatus } from './delivery.type.ts';

@InputType({ description: 'Filter of webhooks. A webhook must match all given conditions.' })
export class WebhookDeliveryWhereInput {
  @Field(() => [WebhookDeliveryStatus], {
    nullable: true,
    description: 'Only records in one of these statuses.',
  })
  status?: WebhookDeliveryStatus[] | null;

  @Field(() => String, { nullable: true, description: 'Only webhooks of this event.' })
  event?: string | null;

  @Field(() => TimeRangeInput, { nullable: true, description: 'Only webhooks of events in this time range.' })
  createdAt?: TimeRangeInput | null;
}

enum WebhookDeliverySortField {
  CREATED_AT = 'createdAt',
}
registerEnumType(WebhookDeliverySortField, {
  name: 'WebhookDeliverySortField',
  description: 'Key by which a list of webhooks is ordered.',
  valuesConfig: { CREATED_AT: { description: 'When the event happened.' } },
});

@InputType({ description: 'The order of a list of webhooks.' })
export class WebhookDeliverySortInput {
  @Field(() => WebhookDeliverySortField, { description: 'Field to order by.' })
  field!: WebhookDeliverySortField;

  @Field(() => SortDirection, { nullable: true, description: 'Direction of the order; DESC when absent.' })
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
