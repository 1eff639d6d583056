import { Field, InputType, ObjectType } from 'type-graphql';
import { RequiresAllScopes } from '../../graph/requires-scopes.ts';
import { UserError } from '../../graph/user-error.type.ts';
import { Approval, PENDING_APPROVAL } from './approval.type.ts';

@ObjectType({ description: 'Hours of each day in which no mail about operational events is sent.' })
@RequiresAllScopes('partner', 'partner_admin')
class QuietHours {
  @Field(() => String, { description: 'Time of the day at which they begin, HH:MM.' })
  from!: string;

  @Field(() => String, {
    description: 'Time of the day at which they end, HH:MM; on the next day if it is before from.',
  })
  to!: string;
}

@ObjectType({ description: 'Receivers of operational events in the environment of the API key.' })
@RequiresAllScopes('partner', 'partner_admin')
export class OperationalEventsConfig {
  @Field(() => String, {
    nullable: true,
    description: 'HTTPS URL that gets operational events as webhooks; null if there is none.',
  })
  url!: string | null;

  @Field(() => [String], { description: 'Addresses that get operational events by e-mail.' })
  emails!: readonly string[];

  @Field(() => QuietHours, {
    nullable: true,
    description: 'Hours in which no mail is sent; it is sent at their end. Null if there are none.',
  })
  quietHours!: QuietHours | null;

  @Field(() => String, {
    description: 'IANA time zone of quietHours, of the times in mail, and of the days of statements.',
  })
  timeZone!: string;

  @Field(() => Boolean, {
    description: 'Whether this deployment sends mail. Without mail, only the URL gets events.',
  })
  sendsMail!: boolean;
}

@InputType({ description: 'Hours of each day in which no mail about operational events is sent.' })
class QuietHoursInput {
  @Field(() => String, { description: 'Time of the day at which they begin, HH:MM.' })
  from!: string;

  @Field(() => String, {
    description: 'Time of the day at which they end, HH:MM; on the next day if it is before from.',
  })
  to!: string;
}

@InputType({ description: 'Changes of the receivers of operational events. Absent fields do not change.' })
export class UpdateOperationalEventsConfigInput {
  @Field(() => String, {
    nullable: true,
    description:
      'HTTPS URL without credentials, stored in normalized form without a fragment. Null removes it; webhooks to it that still wait are then dead-lettered.',
  })
  url?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'At most 10 email addresses, without names; null or an empty list for none.',
  })
  emails?: string[] | null;

  @Field(() => QuietHoursInput, {
    nullable: true,
    description: 'Hours in which no mail is sent, in timeZone; null for none.',
  })
  quietHours?: QuietHoursInput | null;

  @Field(() => String, {
    nullable: true,
    description:
      'IANA time zone, such as America/Mexico_City; null restores UTC. Days of statements that are not issued yet end at midnight in it, even if that has passed.',
  })
  timeZone?: string | null;
}

@ObjectType({ description: 'The changed receivers, or why the mutation failed.' })
@RequiresAllScopes('partner', 'partner_admin')
export class UpdateOperationalEventsConfigPayload {
  @Field(() => OperationalEventsConfig, {
    nullable: true,
    description: 'The receivers after the change; null on failure, and while an approval is pending.',
  })
  operationalEventsConfig!: OperationalEventsConfig | null;

  @Field(() => Approval, PENDING_APPROVAL)
  pendingApproval?: Approval | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}
