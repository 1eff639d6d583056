const TIMELINE = `fragment All on TimelineConnection {
  isCut
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  problems { step code message nextAction at nextAttemptAt }
  nodes {
    __typename id at
    ... on TimelineStatusChange { subject subjectId previousStatus status statusDetails }
    ... on TimelinePhase { correlationId phase }
    ... on TimelinePhaseFailure { correlationId phase attempt code message nextAttemptAt }
    ... on TimelineWebhook { deliveryId event before: previousStatus state: status errorClass }
    ... on TimelineWebhookAttempt { deliveryId name: event number ms statusCode errorClass nextAttemptAt }
    ... on TimelineLinkActivity { linkId activity { type actor } }
  }
}`;
/** The verdict on an operation, and its timeline. */
export const OF_OPERATION = `query ($id: ID!, $first: Int, $after: String) {
  record: operation(id: $id) { verdict { summary cause next actBy } timeline(first: $first, after: $after) { ...All } }
} ${TIMELINE}`;
/** The same of an atomic call. */
export const OF_REMITTANCE = OF_OPERATION.replace('operation(id: $id)', 'remittance(correlationId: $id)');
/** The same of a money request. */
export const OF_REQUEST = OF_OPERATION.replace('($id: ID!', '($id: String!').replace(
  'operation(id: $id)',
  'requestMoney(referenceId: $id)',
);

/** An entry of a timeline. */
type Node = Readonly<Record<string, string | number | null>> & {
  readonly __typename: string;
  readonly id: string;
  readonly at: string;
  readonly activity?: { readonly type: string };
};
/** A timeline, with the verdict on its record. */
export interface Timeline {
  readonly verdict: Readonly<Record<string, string | null>> | null;
  readonly isCut: boolean;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly problems: readonly Readonly<Record<string, string | null>>[];
  readonly nodes: readonly Node[];
}

/** An entry in one line, without ids and times. */
export function inWords(node: Node): string {
  switch (node.__typename) {
    case 'TimelineStatusChange':
      return `${node.subject} ${node.previousStatus} > ${node.status}`;
    case 'TimelinePhase':
      return `phase ${node.phase}`;
    case 'TimelinePhaseFailure':
      return `failed ${node.phase} ${node.attempt} ${node.nextAttemptAt === null ? 'for good' : 'for now'}`;
    case 'TimelineWebhook':
      return `webhook ${node.event} ${node.before} > ${node.state}`;
    case 'TimelineWebhookAttempt':
      return `attempt ${node.name} ${node.number} ${node.statusCode}`;
    default:
      return String(node.activity?.type);
  }
}
