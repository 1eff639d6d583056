import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../graph/connection.ts';
import { TimeRangeInput, toTimeCondition } from '../../graph/listing.ts';
import { RequiresAllScopes } from '../../graph/requires-scopes.ts';
import { DateTimeScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import type { Scope } from '../../kernel/principal.ts';
import type {
  RequestOutcome as Outcome,
  RequestDocument,
  ApiSurface as Surface,
} from '../../partners/request-log/model.ts';
import type { RequestListing } from '../../partners/request-log/reader.ts';

/** Scopes that reading the request log requires. The log shows the calls of the partner's other keys. */
export const LOG_SCOPES = ['partner', 'partner_admin'] as const satisfies readonly Scope[];

export const ApiSurface = textEnum<Surface>('ApiSurface', 'An API of the service.', {
  REMITTANCE: 'REST calls of document 1, below `/v1/user`.',
  REQUEST_MONEY: 'REST calls of document 2, `/v1/request-money`.',
  PARTNER: 'REST calls of document 3, below `/partner`.',
  GRAPHQL: 'The graph: `/graphql` over HTTP and WebSocket, and `/exports`.',
});

const RequestOutcome = textEnum<Outcome>('RequestOutcome', 'Outcome of a request.', {
  SUCCESS: 'It succeeded.',
  CLIENT_ERROR: 'It failed because of the request: a status of 400 to 499, or an error code of this kind.',
  SERVER_ERROR: 'It failed because of the service: a status of 500 or more, or an error code of this kind.',
});

@ObjectType({
  description:
    'A request of the partner that failed or ran a mutation, or a reading of contact data by a console session. No bodies, headers or queries are stored.',
})
@RequiresAllScopes(...LOG_SCOPES)
class RequestLogEntry {
  @Field(() => ID, { description: 'Id of the entry.' })
  id!: string;

  @Field(() => DateTimeScalar, { description: 'When the request started.' })
  at!: Date;

  @Field(() => String, {
    description: 'x-request-id of the request: sent by the client, or assigned and returned with the answer.',
  })
  requestId!: string;

  @Field(() => ApiSurface, { description: 'API that was called.' })
  surface!: Surface;

  @Field(() => String, { nullable: true, description: 'HTTP method; null over a WebSocket.' })
  method!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Path, with parameter names in place of their values; null over a WebSocket.',
  })
  path!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the GraphQL operation or of the REST call; null if it has none.',
  })
  operation!: string | null;

  @Field(() => Boolean, { description: 'Whether the request ran a mutation.' })
  isMutation!: boolean;

  @Field(() => Boolean, {
    description:
      "Whether this entry records that a console session read contact data of one record: a user's phone number, email, date of birth or identity check result, a contact's phone number or email, the number of a payment method, the date of birth or payment data in a link, or the body or answer of a webhook. Finding a record by a phone number or email counts, too. `subjects` has only the id of this user, contact, payment method, payment or webhook; for data in a link, of its user. A request has one such entry for each record, in addition to its own entry, if it has one.",
  })
  isReveal!: boolean;

  @Field(() => RequestOutcome, { description: 'Outcome of the request.' })
  outcome!: Outcome;

  @Field(() => Int, { nullable: true, description: 'HTTP status; null over a WebSocket.' })
  status!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Code of the first error; null if there is none.',
  })
  code!: string | null;

  @Field(() => Int, { description: 'Duration in milliseconds.' })
  ms!: number;

  @Field(() => ID, {
    description:
      'Id of the API key that made the call, or that created the calling console session. For a session without a key, the id of the session.',
  })
  keyId!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'Id of the console session that made the call; null for a call with a key or token.',
  })
  sessionId!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "Label of the console session that made the call, such as a person's name; null for a call with a key or token.",
  })
  actor!: string | null;

  @Field(() => [ID], {
    description:
      'Ids of the records that the request named, created or changed; at most 10. The id of a record that a GraphQL mutation created is included if the mutation selected it.',
  })
  subjects!: string[];
}

@ObjectType({ description: 'A page of the request log.' })
@RequiresAllScopes(...LOG_SCOPES)
export class RequestLogConnection extends connectionType(RequestLogEntry, 'RequestLogEntry') {}

@InputType({ description: 'Filter of logged requests. A request must match all given conditions.' })
export class RequestLogWhereInput {
  @Field(() => String, { nullable: true, description: 'Only requests with this x-request-id.' })
  requestId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Only requests about the record with this id.' })
  subject?: string | null;

  @Field(() => ApiSurface, { nullable: true, description: 'Only requests to this API.' })
  surface?: Surface | null;

  @Field(() => [RequestOutcome], { nullable: true, description: 'Only requests with one of these outcomes.' })
  outcome?: Outcome[] | null;

  @Field(() => String, { nullable: true, description: 'Only requests whose first error has this code.' })
  code?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Only entries with this value of isReveal; all entries when absent.',
  })
  isReveal?: boolean | null;

  @Field(() => TimeRangeInput, {
    nullable: true,
    description: 'Only requests that started in this time range.',
  })
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
