import { type DocumentNode, Kind, parse } from 'graphql';
import { mergeTypes, typeOf } from '../node/extend-document.ts';

/** The types that have a timeline. */
export const TYPES_WITH_TIMELINES = ['Operation', 'RequestMoney', 'Remittance', 'Reservation'] as const;

/** The key of each of these types. */
export const TIMELINE_KEYS = {
  Operation: 'id',
  RequestMoney: 'referenceId',
  Remittance: 'correlationId',
  Reservation: 'correlationId',
} as const satisfies Record<(typeof TYPES_WITH_TIMELINES)[number], string>;

export const DEFAULT_FIRST = 20;
export const MOST_FIRST = 200;

const ENTRY = `
  """Id of the entry: unique in the timeline, and the same in each response."""
  id: ID!
  """When it happened; for an attempt or a call, when it started."""
  at: DateTime!
`;

const TYPES = parse(`
  """Something that happened to a payment."""
  interface TimelineEntry { ${ENTRY} }

  """A kind of record whose status changes are in a timeline."""
  enum TimelineSubject {
    """An operation."""
    OPERATION
    """An accepted atomic call."""
    REMITTANCE
    """A money request."""
    REQUEST_MONEY
  }

  """A record was created, or its status or statusDetails changed."""
  type TimelineStatusChange implements TimelineEntry {
    ${ENTRY}
    """Kind of the record that changed."""
    subject: TimelineSubject!
    """Id of the record: operationId, correlationId or referenceId."""
    subjectId: ID!
    """Status before, a value of the record's own enum; null for the creation."""
    previousStatus: String
    """Status after, a value of the record's own enum."""
    status: String!
    """More detail on the status; for a remittance, its phase."""
    statusDetails: String
  }

  """A remittance started a phase, after it completed the phase before."""
  type TimelinePhase implements TimelineEntry {
    ${ENTRY}
    """correlationId of the remittance."""
    correlationId: ID!
    """Phase that started, a value of RemittancePhase."""
    phase: String!
  }

  """An attempt at a phase of a remittance failed, or a request by v2 had no answer from a provider."""
  type TimelinePhaseFailure implements TimelineEntry {
    ${ENTRY}
    """correlationId of the remittance or of the request by v2."""
    correlationId: ID!
    """Phase, a value of RemittancePhase; for a request by v2, REQUEST_MONEY."""
    phase: String!
    """Number of the attempt at this phase; the first is 1. It starts again at 1 when an operator retries."""
    attempt: Int!
    """Error code of document 1."""
    code: String!
    """Reason of the failure, for people."""
    message: String!
    """When the next attempt is due; null if this was the last one."""
    nextAttemptAt: DateTime
    """Whether the attempt ended without a readable answer from the funding provider, so that the payer may have been asked for the money."""
    payerMayHaveBeenAsked: Boolean!
  }

  """The status of a webhook about the payment changed: it was stored, delivered, dead-lettered or sent again."""
  type TimelineWebhook implements TimelineEntry {
    ${ENTRY}
    """X-Webhook-Delivery-Id of the webhook."""
    deliveryId: ID!
    """The event name and the endpoint."""
    event: String!
    """Status before; null when the webhook was stored."""
    previousStatus: WebhookDeliveryStatus
    """Status after."""
    status: WebhookDeliveryStatus!
    """Why the last attempt failed, for a dead-lettered webhook; otherwise null."""
    errorClass: String
  }

  """An attempt to send a webhook about the payment."""
  type TimelineWebhookAttempt implements TimelineEntry {
    ${ENTRY}
    """X-Webhook-Delivery-Id of the webhook."""
    deliveryId: ID!
    """Name of the webhook's event; null once the webhook is removed."""
    event: String
    """Number of the attempt; the first is 1. Attempts after a replay continue the count."""
    number: Int!
    """Duration in milliseconds."""
    ms: Int!
    """HTTP status of the receiver's answer; null without an answer."""
    statusCode: Int
    """Why it failed, such as http_status, timeout, tls or network; null if it succeeded."""
    errorClass: String
    """When the next attempt is due, for the latest attempt; null if there is none, and for earlier attempts."""
    nextAttemptAt: DateTime
  }

  """An activity of the link from which the user started the operation, except changes of the operation."""
  type TimelineLinkActivity implements TimelineEntry {
    ${ENTRY}
    """linkId of the link."""
    linkId: ID!
    """Entry of the link's timeline."""
    activity: LinkActivity!
  }

  """A call of the partner that created or changed a record of the payment, or that named one and failed. Calls are kept for 7 days."""
  type TimelineRequest implements TimelineEntry {
    ${ENTRY}
    """x-request-id of the call."""
    requestId: String!
    """API that was called."""
    surface: ApiSurface!
    """HTTP method; null over a WebSocket."""
    method: String
    """Path, with parameter names in place of their values; null over a WebSocket."""
    path: String
    """Name of the GraphQL operation or of the REST call; null if it has none."""
    operation: String
    """HTTP status; null over a WebSocket."""
    status: Int
    """Code of the first error; null if there is none."""
    code: String
    """Duration in milliseconds."""
    ms: Int!
  }

  """Why a payment, or a webhook about it, is delayed or stopped."""
  type TimelineProblem {
    """Step that is delayed or stopped: a phase of the remittance, REQUEST_MONEY for a request by v2, the last status before the problem, ON_HOLD for an operation that is held for review, USER_BLOCKED for a call that failed because the user is blocked, or the event of a webhook."""
    step: String!
    """Error code, or error class of a webhook; null if only a message is known."""
    code: String
    """Reason of the problem, for people."""
    message: String!
    """Action that the partner can take."""
    nextAction: TimelineAction!
    """When the problem started."""
    at: DateTime!
    """When the next attempt is due; null if there is none."""
    nextAttemptAt: DateTime
  }

  """A page of a timeline."""
  type TimelineConnection @requiresScopes(scopes: [["partner"]]) {
    """Entries of the page, oldest first."""
    nodes: [TimelineEntry!]!
    """Position of the page, for reading the next or previous one."""
    pageInfo: PageInfo!
    """Current problems that delay or stop the payment, the same on every page; empty if there are none."""
    problems: [TimelineProblem!]!
    """Whether entries are missing at the beginning, because there were too many, or because they are older than the event log."""
    isCut: Boolean!
  }
`);

const FIELD = `
  """
  Timeline of the payment, oldest entry first: the partner's calls, changes of the operation, of its money request and of its atomic call with phases and
  failed attempts, webhooks with each attempt, and activities of its link. Entries are kept as long as their source: calls for 7 days,
  events and webhooks for 30 days, unless the operator of the service changes it.
  """
  timeline(
    """Maximum number of entries, 1 to 200; 20 when absent."""
    first: Int
    """Only entries after this cursor."""
    after: String
  ): TimelineConnection! @requiresScopes(scopes: [["partner"]])
`;

/** Adds the field `timeline` to the types that have one, which the document has, and the types of entries. */
export function withTimelines(document: DocumentNode): DocumentNode {
  const left = new Set<string>(TYPES_WITH_TIMELINES);
  const definitions = document.definitions.map((definition) => {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION || !left.delete(definition.name.value)) {
      return definition;
    }
    return mergeTypes(definition, typeOf(`type ${definition.name.value} { ${FIELD} }`));
  });
  return { ...document, definitions: [...definitions, ...TYPES.definitions] };
}
