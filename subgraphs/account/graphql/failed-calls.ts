import { Arg, Ctx, Field, FieldResolver, ID, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { authorize } from '../../graph/authorize.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { DateTimeScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import { type TimelineAction as Action, TIMELINE_ACTIONS } from '../../graph/timeline.ts';
import { CATALOGUE, type ErrorCode, type ErrorRow } from '../../kernel/errors/catalogue.ts';
import { parseJson } from '../../kernel/json/parse-json.ts';
import { fieldOf } from '../../kernel/objects.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import type { RequestDocument, ApiSurface as Surface } from '../../partners/request-log/model.ts';
import type { RequestReader } from '../../partners/request-log/reader.ts';
import { OPERATION_ERROR, REQUEST_MONEY_FAILED } from '../../webhook-events/money-requests.ts';
import { WebhookDelivery } from './delivery.type.ts';
import { ApiSurface } from './request-log.type.ts';

const MOST = 10;
/** The newest calls about a reference that are looked through for failed ones. */
const MOST_READ = 250;

/** The actions after codes that do not only ask for another value; null where no call of the partner helps. */
const ACTIONS: Readonly<Partial<Record<ErrorCode, Action | null>>> = {
  OFAC_HIT: 'CONTACT_SUPPORT',
  USER_ERASED: null,
  LEGACY_REFERENCE_EXISTS: null,
  REQUEST_MONEY_NOT_FOUND: null,
  INVALID_TRANSITION: null,
  USER_BLOCKED: 'UNBLOCK_USER',
  RATE_LIMITED: 'REPEAT_SAME_REQUEST',
};

const TimelineAction = textEnum<Action>(
  'TimelineAction',
  'Action by which a partner can solve a problem.',
  TIMELINE_ACTIONS,
);

@ObjectType({ description: 'The reason why a call failed, without any value that the call had.' })
@RequiresScopes('partner')
class CallFailure {
  @Field(() => String, { description: 'Code of the first error.' })
  code!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Documented message of the code; null for a code that is not in the error catalogue.',
  })
  message!: string | null;

  @Field(() => TimelineAction, {
    nullable: true,
    description: 'Action after a failed create; null if the partner can do nothing, or needs to do nothing.',
  })
  nextAction!: Action | null;
}

@ObjectType({ description: 'A call of the partner that failed and would have created or changed a record.' })
@RequiresScopes('partner')
class FailedCall {
  @Field(() => ID, { description: 'Id of the call.' })
  id!: string;

  @Field(() => DateTimeScalar, { description: 'When it started.' })
  at!: Date;

  @Field(() => String, { description: 'x-request-id of the call.' })
  requestId!: string;

  @Field(() => ApiSurface, { description: 'API that was called.' })
  surface!: Surface;

  @Field(() => Int, { nullable: true, description: 'HTTP status; null over a WebSocket.' })
  status!: number | null;

  @Field(() => CallFailure, { description: 'Why it failed.' })
  failure!: CallFailure;
}

@Resolver()
export class FailedCallResolver {
  constructor(private readonly requests: Pick<RequestReader, 'findAbout'>) {}

  @RequiresScopes('partner')
  @Query(() => [FailedCall], {
    description: `The newest ${MOST} calls of the last 7 days that failed and would have created or changed a record, and that named this reference; newest first. A create that was refused has no record: this is where it can be found. Calls appear within a second of their answer.`,
  })
  async failedCalls(
    @Arg('reference', () => String, {
      description:
        "referenceId, correlationId or other id that the call named. Of a create of a money request, also the partner's id of the user.",
    })
    reference: string,
    @Ctx() context: RequestContext,
  ): Promise<FailedCall[]> {
    const { accountId } = authorize(context);
    const about = await this.requests.findAbout(accountId, [reference.trim()], MOST_READ);
    return about.flatMap(toFailedCall).slice(0, MOST);
  }
}

function toFailedCall(request: RequestDocument): FailedCall[] {
  const { _id: id, createdAt: at, requestId, surface, status, code, isMutation } = request;
  return isMutation && code !== undefined
    ? [{ id, at, requestId, surface, status: status ?? null, failure: toFailure(code) }]
    : [];
}

/** Codes name nobody: reading the failure of a webhook is not on record, unlike its body. */
@Resolver(() => WebhookDelivery)
export class WebhookFailureResolver {
  @FieldResolver(() => CallFailure, {
    nullable: true,
    description: 'Why the call failed that it is about; null for all other webhooks.',
  })
  failure(@Root() { event, body }: WebhookDelivery): CallFailure | null {
    if (event !== OPERATION_ERROR.name && event !== REQUEST_MONEY_FAILED.name) {
      return null;
    }
    const code = fieldOf(fieldOf(parseJson(body), 'data'), 'code');
    return typeof code === 'string' ? toFailure(code) : null;
  }
}

function toFailure(code: string): CallFailure {
  return isInCatalogue(code)
    ? { code, message: CATALOGUE[code].message, nextAction: actionAfter(code) }
    : { code, message: null, nextAction: null };
}

function isInCatalogue(code: string): code is ErrorCode {
  return Object.hasOwn(CATALOGUE, code);
}

function actionAfter(code: ErrorCode): Action | null {
  const action = ACTIONS[code];
  if (action !== undefined) {
    return action;
  }
  const { status }: ErrorRow = CATALOGUE[code];
  return Object.values(status).some((one) => one >= 500)
    ? 'REPEAT_SAME_REQUEST'
    : 'CORRECT_AND_REQUEST_AGAIN';
}
