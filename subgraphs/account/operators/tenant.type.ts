import { ArgsType, Field, ID, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../platform/graphql/connection.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { CountryCodeScalar, DateTimeScalar } from '../../platform/graphql/scalars.ts';

@ObjectType({ description: "A partner's API keys that are in force." })
@RequiresScopes('platform')
export class PlatformTenantKeys {
  @Field(() => Int, { description: 'Keys of the live environment.' })
  live!: number;

  @Field(() => Int, { description: 'Keys of the sandbox.' })
  sandbox!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When one of them was last used, to the minute; null: never.',
  })
  lastUsedAt!: Date | null;
}

@ObjectType({
  description:
    "A partner's receivers of webhooks by their state. Those that are held may be former ones, whose webhooks still wait; one may be paused and have an open breaker.",
})
@RequiresScopes('platform')
export class PlatformTenantEndpoints {
  @Field(() => Int, { description: 'Receivers that it has now, the documented one included.' })
  total!: number;

  @Field(() => Int, { description: 'Receivers that are paused.' })
  paused!: number;

  @Field(() => Int, { description: 'Receivers that fail, and get nothing but probes.' })
  breakerOpen!: number;

  @Field(() => Int, { description: 'Receivers that failed, and get a probe now.' })
  breakerHalfOpen!: number;
}

@ObjectType({ description: "A partner's webhooks that are not delivered." })
@RequiresScopes('platform')
export class PlatformTenantWebhooks {
  @Field(() => Int, { description: 'Webhooks that are still to be sent.' })
  pending!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the oldest of them was stored; null without any.',
  })
  oldestPendingAt!: Date | null;

  @Field(() => Int, { description: 'Webhooks that have used up their attempts.' })
  deadLettered!: number;
}

@ObjectType({ description: "A partner's remittances of atomic calls that are in progress." })
@RequiresScopes('platform')
export class PlatformTenantRemittances {
  @Field(() => Int, { description: 'All of them.' })
  inProgress!: number;

  @Field(() => Int, { description: 'Those that have been in their phase for over 30 seconds.' })
  stuck!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Since when the one that is stuck longest has been in its phase; null: none is stuck.',
  })
  stuckSince!: Date | null;
}

@ObjectType({ description: 'A partner of the platform, without anything of its payers.' })
@RequiresScopes('platform')
export class PlatformTenant {
  @Field(() => ID, { description: 'Its id.' })
  id!: string;

  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => CountryCodeScalar, { nullable: true, description: 'Its country, if one is configured.' })
  country!: string | null;

  @Field(() => [String], { description: 'What it may use.' })
  features!: readonly string[];

  @Field(() => DateTimeScalar, { description: 'When it was created.' })
  createdAt!: Date;

  /** Not in the graph. */
  hasWebhookUrl!: boolean;
}

@ObjectType({ description: 'A page of partners.' })
@RequiresScopes('platform')
export class PlatformTenantConnection extends connectionType(PlatformTenant, 'PlatformTenant') {}

@ArgsType()
export class PlatformTenantArgs {
  @Field(() => Int, { nullable: true, description: 'At most this many, 1 to 100; 20 when absent.' })
  first?: number | null;

  @Field(() => String, { nullable: true, description: 'Only partners after this cursor.' })
  after?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Only partners with this text in their name or id, in any case of letters; at most 100 characters.',
  })
  search?: string | null;
}
