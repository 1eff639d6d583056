import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../platform/graphql/connection.ts';
import { TimeRangeInput, toTimeCondition } from '../../platform/graphql/listing.ts';
import { RequiresAllScopes } from '../../platform/graphql/requires-scopes.ts';
import { DateTimeScalar } from '../../platform/graphql/scalars.ts';
import { textEnum } from '../../platform/graphql/text-enum.ts';
import type { Scope } from '../../platform/principal.ts';
import type {
  RequestOutcome as Outcome,
  RequestDocument,
  ApiSurface as Surface,
} from '../../platform/request-log/model.ts';
import type { RequestListing } from '../../platform/request-log/reader.ts';

/** Who may read the log of requests: it tells what other keys of the partner have done. */
export const LOG_SCOPES = ['partner', 'partner_admin'] as const satisfies readonly Scope[];

export const ApiSurface = textEnum<Surface>('ApiSurface', 'The API that a request called.', {
  REMITTANCE: 'REST calls of document 1, below `/v1/user`.',
  REQUEST_MONEY: 'REST calls of document 2, `/v1/request-money`.',
  PARTNER: 'REST calls of document 3, below `/partner`.',
  GRAPHQL: 'The graph: `/graphql` over HTTP and WebSocket, and `/exports`.',
});

export const RequestOutcome = textEnum<Outcome>('RequestOutcome', 'How a request ended.', {
  SUCCESS: 'As it should.',
  CLIENT_ERROR: 'It failed because of what it asked: a status of 400 to 499, or an error code that says so.',
  SERVER_ERROR: 'It failed because of this service: a status of 500 or more, or an error code that says so.',
});

@ObjectType({
  description:
    'A request of the partner that failed, or that changed something; or contact data that somebody has read in the console. Nothing of a body, header or query is kept.',
})
@RequiresAllScopes(...LOG_SCOPES)
export class RequestLogEntry {
  @Field(() => ID, { description: 'Id of the entry.' })
  id!: string;

  @Field(() => DateTimeScalar, { description: 'When the request began.' })
  at!: Date;

  @Field(() => String, {
    description: 'Its x-request-id: the one that the client sent, or that it got with the answer.',
  })
  requestId!: string;

  @Field(() => ApiSurface, { description: 'The API that it called.' })
  surface!: Surface;

  @Field(() => String, { nullable: true, description: 'Its HTTP method; null over a WebSocket.' })
  method!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The path of its call, with names in place of values; null over a WebSocket.',
  })
  path!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The name of its GraphQL operation, or of the REST call's own; null without a name.",
  })
  operation!: string | null;

  @Field(() => Boolean, { description: 'Whether it ran a mutation.' })
  isMutation!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether the entry says that a console session has read contact data: phone number, email, date of birth or results of checks of a user, phone number or email of a contact, payment data in a link, the body of a webhook or its answer; or has found a record by a phone number or an email. The user, contact or webhook is the only one in `subjects`. Such a request has an entry for each, beside its own if it has one.',
  })
  isReveal!: boolean;

  @Field(() => RequestOutcome, { description: 'How it ended.' })
  outcome!: Outcome;

  @Field(() => Int, { nullable: true, description: 'Its HTTP status; null over a WebSocket.' })
  status!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'The code of its first error; null where it has none.',
  })
  code!: string | null;

  @Field(() => Int, { description: 'How long it took, milliseconds.' })
  ms!: number;

  @Field(() => ID, {
    description:
      'The id of the API key that called, or that made the console session which called; of a session without a key, its own id.',
  })
  keyId!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'The id of the console session that called; null for a program.',
  })
  sessionId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The label of the console session that called, such as a person's name; null for a program.",
  })
  actor!: string | null;

  @Field(() => [ID], { description: 'Ids of the records that it named, made or changed; at most 10.' })
  subjects!: string[];
}

@ObjectType({ description: 'A page of the log of requests.' })
@RequiresAllScopes(...LOG_SCOPES)
export class RequestLogConnection extends connectionType(RequestLogEntry, 'RequestLogEntry') {}

@InputType({ description: 'Requests to list; all given conditions must hold.' })
export class RequestLogWhereInput {
  @Field(() => String, { nullable: true, description: 'With this x-request-id.' })
  requestId?: string | null;

  @Field(() => ID, { nullable: true, description: 'About the record with this id.' })
  subject?: string | null;

  @Field(() => ApiSurface, { nullable: true, description: 'To this API.' })
  surface?: Surface | null;

  @Field(() => [RequestOutcome], { nullable: true, description: 'That ended in one of these ways.' })
  outcome?: Outcome[] | null;

  @Field(() => String, { nullable: true, description: 'Whose first error has this code.' })
  code?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Only entries of contact data that a console session has read; with false, only others.',
  })
  isReveal?: boolean | null;

  @Field(() => TimeRangeInput, { nullable: true, description: 'That began in this span.' })
  at?: TimeRangeInput | null;
}

/** The GraphQL shape of a stored request. */
export function toEntry(request: RequestDocument): RequestLogEntry {
  const { requestId, surface, isMutation, outcome, ms, keyId, keys } = request;
  return {
    id: request._id,
    at: request.createdAt,
    requestId,
    surface,
    method: request.method ?? null,
    path: request.path ?? null,
    operation: request.operation ?? null,
    isMutation,
    isReveal: request.isReveal ?? false,
    outcome,
    status: request.status ?? null,
    code: request.code ?? null,
    ms,
    keyId,
    sessionId: request.sessionId ?? null,
    actor: request.actor ?? null,
    subjects: keys.filter((key) => key !== requestId),
  };
}

export function toListing(where: RequestLogWhereInput | null | undefined): RequestListing {
  const { requestId, subject, surface, outcome, code, isReveal, at } = where ?? {};
  return {
    requestId: requestId ?? undefined,
    subject: subject ?? undefined,
    surface: surface ?? undefined,
    outcome: outcome ?? undefined,
    code: code ?? undefined,
    isReveal: isReveal ?? undefined,
    createdAt: toTimeCondition(at),
  };
}
