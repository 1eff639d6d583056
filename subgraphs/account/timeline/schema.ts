import { type DocumentNode, Kind, parse } from 'graphql';
import { TIMELINE_ACTIONS } from '../../platform/graphql/timeline.ts';
import { mergeTypes, typeOf } from '../node/extend-document.ts';

/** The types that have a timeline. */
export const TOLD_TYPES = ['Operation', 'RequestMoney', 'Remittance', 'Reservation'] as const;

export const DEFAULT_FIRST = 20;
export const MOST_FIRST = 200;

const ACTIONS = Object.entries(TIMELINE_ACTIONS).map(
  ([action, description]) => `"""${description}""" ${action}`,
);

const ENTRY = `
  """Id of the entry: unique in a timeline, and the same in every answer."""
  id: ID!
  """When it happened; of an attempt and a request, when it began."""
  at: DateTime!
`;

const TYPES = parse(`
  """Something that happened to a payment."""
  interface TimelineEntry { ${ENTRY} }

  """The records whose changes of status are in a timeline."""
  enum TimelineSubject {
    """An operation."""
    OPERATION
    """An accepted atomic call."""
    REMITTANCE
    """A money request."""
    REQUEST_MONEY
  }

  """A record was made, or got another status, or other details of the same status."""
  type TimelineStatusChange implements TimelineEntry {
    ${ENTRY}
    """What changed."""
    subject: TimelineSubject!
    """Its operationId, correlationId or referenceId."""
    subjectId: ID!
    """Its status before, as its own enum names it; null when it was made."""
    previousStatus: String
    """Its status after, as its own enum names it."""
    status: String!
    """The status in more detail; of a remittance, its phase."""
    statusDetails: String
  }

  """A remittance began a phase: the one before it was done."""
  type TimelinePhase implements TimelineEntry {
    ${ENTRY}
    """The remittance."""
    correlationId: ID!
    """The phase that began, one of RemittancePhase."""
    phase: String!
  }

  """An attempt at a phase of a remittance failed, or a call of a request by v2 had no answer."""
  type TimelinePhaseFailure implements TimelineEntry {
    ${ENTRY}
    """The remittance, or the request by v2."""
    correlationId: ID!
    """The phase, one of RemittancePhase; of a request by v2, REQUEST_MONEY."""
    phase: String!
    """Which attempt at this phase it was; 1 is the first."""
    attempt: Int!
    """Why it failed: one of the codes of document 1."""
    code: String!
    """Why it failed, for people."""
    message: String!
    """When the phase is tried again; null when that was the last attempt."""
    nextAttemptAt: DateTime
    """Whether the attempt ended without a readable answer of the funding provider: the payer may have been asked."""
    payerMayHaveBeenAsked: Boolean!
  }

  """A webhook about the payment was stored, or got another status: delivered, given up, or sent again."""
  type TimelineWebhook implements TimelineEntry {
    ${ENTRY}
    """Its X-Webhook-Delivery-Id."""
    deliveryId: ID!
    """The name of its event."""
    event: String!
    """Its status before; null when it was stored."""
    previousStatus: WebhookDeliveryStatus
    """Its status after."""
    status: WebhookDeliveryStatus!
    """For a webhook that was given up: why its last attempt failed."""
    errorClass: String
  }

  """An attempt to send a webhook about the payment."""
  type TimelineWebhookAttempt implements TimelineEntry {
    ${ENTRY}
    """The webhook's X-Webhook-Delivery-Id."""
    deliveryId: ID!
    """The name of the webhook's event; null once the webhook is removed."""
    event: String
    """Which attempt it was; 1 is the first, and sending again continues the numbers."""
    number: Int!
    """How long it took, milliseconds."""
    ms: Int!
    """Status of the receiver's answer; null when none came."""
    statusCode: Int
    """Why it failed, such as http_status, timeout, tls or network; null when it did not."""
    errorClass: String
    """For the last attempt so far: when the next one is due; null when there is none."""
    nextAttemptAt: DateTime
  }

  """Something happened to the link from which the user began the operation. Changes of the operation are not among them."""
  type TimelineLinkActivity implements TimelineEntry {
    ${ENTRY}
    """The link."""
    linkId: ID!
    """The entry of the link's own timeline."""
    activity: LinkActivity!
  }

  """A call of the partner that changed something of the payment, or that named it and failed. Calls are kept for 7 days."""
  type TimelineRequest implements TimelineEntry {
    ${ENTRY}
    """Its x-request-id."""
    requestId: String!
    """The API that it called."""
    surface: ApiSurface!
    """Its HTTP method; null over a WebSocket."""
    method: String
    """The path of its call, with names in place of values; null over a WebSocket."""
    path: String
    """The name of its GraphQL operation, or of the REST call's own; null without a name."""
    operation: String
    """Its HTTP status; null over a WebSocket."""
    status: Int
    """The code of its first error; null where it has none."""
    code: String
    """How long it took, milliseconds."""
    ms: Int!
  }

  """What a partner can do about a problem."""
  enum TimelineAction { ${ACTIONS.join(' ')} }

  """Why a payment or a webhook about it goes on slowly, or no more."""
  type TimelineProblem {
    """Where it stopped: a phase of the remittance, REQUEST_MONEY of a request by v2, the status before, or the event of a webhook."""
    step: String!
    """Why: an error code, or the error class of a webhook; null where only a text is known."""
    code: String
    """Why, for people."""
    message: String!
    """What the partner can do."""
    nextAction: TimelineAction!
    """Since when."""
    at: DateTime!
    """When it is tried again; null when it is not."""
    nextAttemptAt: DateTime
  }

  """A page of a timeline."""
  type TimelineConnection @requiresScopes(scopes: [["partner"]]) {
    """The entries of the page, in order of time."""
    nodes: [TimelineEntry!]!
    """Whether there are more pages, and their cursors."""
    pageInfo: PageInfo!
    """What holds the payment up at present, whatever the page; empty when nothing does."""
    problems: [TimelineProblem!]!
    """Whether entries are missing at the beginning: there were too many, or they are older than the event log."""
    isCut: Boolean!
  }
`);

const FIELD = `
  """
  All that happened to the payment: the partner's calls, the operation, its money request, its atomic call with its phases and their
  failed attempts, webhooks with each attempt, and the activity of its link, in order of time. Each is kept as long as its own list has it:
  events and webhooks for 30 days, unless the operator keeps them longer.
  """
  timeline(
    """How many entries at most, 1 to 200; 20 when absent."""
    first: Int
    """Only entries after this cursor."""
    after: String
  ): TimelineConnection! @requiresScopes(scopes: [["partner"]])
`;

/** Adds the field `timeline` to the types that have one, which the document has, and the types of entries. */
export function withTimelines(document: DocumentNode): DocumentNode {
  const left = new Set<string>(TOLD_TYPES);
  const definitions = document.definitions.map((definition) => {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION || !left.delete(definition.name.value)) {
      return definition;
    }
    return mergeTypes(definition, typeOf(`type ${definition.name.value} { ${FIELD} }`));
  });
  return { ...document, definitions: [...definitions, ...TYPES.definitions] };
}
