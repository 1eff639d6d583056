import { ArgsType, Field, ID, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../graph/connection.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { CountryCodeScalar, DateTimeScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import type { TenantOrder } from './index.ts';

@ObjectType({ description: 'Active API keys of a partner.' })
@RequiresScopes('platform')
export class PlatformTenantKeys {
  @Field(() => Int, { description: 'Active keys of the live environment.' })
  live!: number;

  @Field(() => Int, { description: 'Active keys of the sandbox.' })
  sandbox!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When one of these keys was last used, to the minute; null if never.',
  })
  lastUsedAt!: Date | null;
}

@ObjectType({
  description:
    'Webhook endpoints of a partner, by state. The counts by state include deleted or replaced endpoints that still have webhooks. An endpoint can be paused and have an open breaker at the same time.',
})
@RequiresScopes('platform')
export class PlatformTenantEndpoints {
  @Field(() => Int, { description: 'Current endpoints, including the one of webhookConfig.' })
  total!: number;

  @Field(() => Int, { description: 'Endpoints that are paused.' })
  paused!: number;

  @Field(() => Int, {
    description: 'Endpoints that fail: no webhooks are sent to them until the next probe.',
  })
  breakerOpen!: number;

  @Field(() => Int, { description: 'Endpoints that failed and are being probed now.' })
  breakerHalfOpen!: number;
}

@ObjectType({ description: 'Webhooks of a partner that are not delivered.' })
@RequiresScopes('platform')
export class PlatformTenantWebhooks {
  @Field(() => Int, { description: 'Number of webhooks that are not sent yet.' })
  pending!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the oldest of these webhooks was stored; null if there is none.',
  })
  oldestPendingAt!: Date | null;

  @Field(() => Int, { description: 'Number of webhooks that used up their attempts.' })
  deadLettered!: number;
}

@ObjectType({ description: 'Remittances of a partner that are in progress.' })
@RequiresScopes('platform')
export class PlatformTenantRemittances {
  @Field(() => Int, { description: 'Number of remittances in progress.' })
  inProgress!: number;

  @Field(() => Int, {
    description: 'Number of remittances that have been in their phase for over 30 seconds.',
  })
  stuck!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the longest stuck remittance entered its phase; null if none is stuck.',
  })
  stuckSince!: Date | null;
}

@ObjectType({ description: 'A partner of the platform, without data of its users and payers.' })
@RequiresScopes('platform')
export class PlatformTenant {
  @Field(() => ID, { description: 'Id of the partner.' })
  id!: string;

  @Field(() => String, { description: 'Name of the partner.' })
  name!: string;

  @Field(() => CountryCodeScalar, { nullable: true, description: 'Country; null if none is configured.' })
  country!: string | null;

  @Field(() => [String], { description: 'Features that the partner can use.' })
  features!: readonly string[];

  @Field(() => DateTimeScalar, { description: 'When it was created.' })
  createdAt!: Date;

  /** In how many environments it has a `webhookUrl`; not in the graph. */
  webhookUrls!: number;
}

@ObjectType({ description: 'A page of partners.' })
@RequiresScopes('platform')
export class PlatformTenantConnection extends connectionType(PlatformTenant, 'PlatformTenant') {}

const PlatformTenantOrder = textEnum<TenantOrder>('PlatformTenantOrder', 'How partners are ordered.', {
  id: 'By id.',
  trouble:
    'By the number of stuck remittances, the highest first; among equals by failing endpoints, then by webhooks that used up their attempts, then by webhooks that are not sent. Only the first 1,000 partners by id are listed. Cursors are places in this order, which can change between two pages.',
});

@ArgsType()
export class PlatformTenantArgs {
  @Field(() => PlatformTenantOrder, { nullable: true, description: 'Order of the partners; ID when absent.' })
  order?: TenantOrder | null;

  @Field(() => Int, { nullable: true, description: 'Maximum number of results, 1 to 100; 20 when absent.' })
  first?: number | null;

  @Field(() => String, { nullable: true, description: 'Only partners after this cursor.' })
  after?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Only partners whose name or id contains this text, in upper or lower case; at most 100 characters.',
  })
  search?: string | null;
}
