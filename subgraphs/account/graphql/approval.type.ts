import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { RequiresAllScopes } from '../../graph/requires-scopes.ts';
import { DateTimeScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import { UserError } from '../../graph/user-error.type.ts';
import type { Approval as ApprovalRecord } from '../../partners/approvals/approvals.ts';
import type { FourEyesAct as Act } from '../../partners/tenants/four-eyes.ts';

export const FourEyesAct = textEnum<Act>(
  'FourEyesAct',
  'An act in a console session that needs the approval of an administrator, who must be another person, if the partner has asked for it.',
  {
    ROTATE_SECRET: 'A new signing secret of an endpoint that exists, by any mutation.',
    CREATE_KEY:
      'A new API key, also one that replaces another. Partner.fourEyes always includes it, unless it is empty.',
    CHANGE_WEBHOOK_URL:
      'A webhook URL, including the URL of operational events, that is set, changed or removed; a new or deleted endpoint.',
    BULK_REPLAY: 'A bulk replay of webhooks.',
  },
);

export const ApprovalStatus = textEnum<ApprovalRecord['status']>(
  'ApprovalStatus',
  'Status of a request for approval.',
  {
    PENDING: 'It waits for a decision. Nothing was changed.',
    APPROVED: 'An administrator approved it, and the change was made.',
    REJECTED: 'It was rejected or withdrawn. Nothing was changed.',
    EXPIRED: 'Nobody decided within 24 hours. Nothing was changed.',
  },
);

@ObjectType({ description: 'A value of the input of a mutation that waits for an approval.' })
@RequiresAllScopes('partner', 'partner_webhooks')
class ApprovalValue {
  @Field(() => String, { description: 'Name of the input field.' })
  name!: string;

  @Field(() => String, {
    description:
      'The value as text; null as the text null. A secret, and headers with their values, are shown as an ellipsis.',
  })
  value!: string;
}

@ObjectType({
  description:
    'A request for the approval of a change. A person makes it in a console session, for an act that the partner protects (Partner.fourEyes). An administrator, who must be another person, approves it within 24 hours. Until then, an administrator can reject it.',
})
@RequiresAllScopes('partner', 'partner_webhooks')
export class Approval {
  @Field(() => ID, { description: 'Id of the request.' })
  id!: string;

  @Field(() => ApprovalStatus, { description: 'Status of the request.' })
  status!: ApprovalRecord['status'];

  @Field(() => [FourEyesAct], { description: 'Protected acts that the change needs.' })
  acts!: readonly Act[];

  @Field(() => String, { description: 'Name of the mutation that an approval runs.' })
  operation!: string;

  @Field(() => [ApprovalValue], { description: 'Input of the mutation.' })
  input!: ApprovalValue[];

  @Field(() => String, { description: 'Label of the console session that asked: the person.' })
  requestedBy!: string;

  @Field(() => ID, { description: 'Id of the console session that asked.' })
  requestedIn!: string;

  @Field(() => DateTimeScalar, { description: 'When it was asked for.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'Until when it can be approved or rejected.' })
  expiresAt!: Date;

  @Field(() => String, {
    nullable: true,
    description: 'Label of the console session that decided; null without a decision.',
  })
  decidedBy!: string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was decided; null without a decision.',
  })
  decidedAt!: Date | null;
}

@InputType({ description: 'A request for approval.' })
export class ApprovalInput {
  @Field(() => ID, { description: 'Id of the request.' })
  id!: string;
}

@ObjectType({ description: 'The approved request and the secrets that it made, or why the mutation failed.' })
@RequiresAllScopes('partner', 'partner_admin')
export class ApprovePayload {
  @Field(() => Approval, { nullable: true, description: 'The request; null on failure.' })
  approval!: Approval | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The API key that was created, shown only this once and only to the approver; null if none was.',
  })
  key!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The signing secret that was created, shown only this once and only to the approver; null if none was.',
  })
  webhookSecret!: string | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}

@ObjectType({ description: 'The rejected request, or why the mutation failed.' })
@RequiresAllScopes('partner', 'partner_admin')
export class RejectApprovalPayload {
  @Field(() => Approval, { nullable: true, description: 'The request; null on failure.' })
  approval!: Approval | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}

/** Input fields with secrets that a partner has chosen itself. Headers can hold credentials. */
const SECRETS: readonly string[] = ['secret', 'webhookSecret', 'headers', 'webhookHeaders'];

/** The GraphQL shape of a request. */
export function presentApproval({ requestedBy, decidedBy, input, ...approval }: ApprovalRecord): Approval {
  return {
    ...approval,
    input: Object.entries(input ?? {}).map(([name, value]: [string, unknown]) => ({
      name,
      value: SECRETS.includes(name) && value !== null ? '…' : toText(value),
    })),
    requestedBy: requestedBy.person,
    requestedIn: requestedBy.sessionId,
    decidedBy: decidedBy?.person ?? null,
  };
}

function toText(value: unknown): string {
  if (Array.isArray(value)) {
    return value.join(', ');
  }
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** The options of a payload's field for the stored request. */
export const PENDING_APPROVAL = {
  nullable: true,
  description:
    'The stored request, if an administrator who is another person must approve this: nothing was changed. Otherwise null.',
} as const;
