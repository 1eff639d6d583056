import type { AccountId } from '../kernel/account.ts';

/** A record that has a timeline: GraphQL type name, and the raw id by which the type is looked up. */
export interface TimelineRecord {
  readonly type: 'Operation' | 'Remittance' | 'Reservation' | 'RequestMoney' | 'Link';
  readonly id: string;
}

/** A record in one text: webhooks about failed calls are stored with it. */
export function recordName({ type, id }: TimelineRecord): string {
  return `${type}:${id}`;
}

interface EntryBase {
  /** Unique in a timeline; of one record, ids sort as its changes came. */
  readonly id: string;
  readonly at: Date;
}

/** The records whose changes of status are entries. */
type TimelineSubject = 'OPERATION' | 'REMITTANCE' | 'REQUEST_MONEY';

/** A record got another status, or other details of the same one. Statuses are names of its enum in the graph. */
export interface StatusChangeEntry extends EntryBase {
  readonly __typename: 'TimelineStatusChange';
  readonly subject: TimelineSubject;
  readonly subjectId: string;
  readonly previousStatus: string | null;
  readonly status: string;
  readonly statusDetails: string | null;
}

/** A remittance began a phase. */
interface PhaseEntry extends EntryBase {
  readonly __typename: 'TimelinePhase';
  readonly correlationId: string;
  readonly phase: string;
}

/** An attempt at a phase failed. */
export interface PhaseFailureEntry extends EntryBase {
  readonly __typename: 'TimelinePhaseFailure';
  readonly correlationId: string;
  readonly phase: string;
  readonly attempt: number;
  readonly code: string;
  readonly message: string;
  readonly nextAttemptAt: Date | null;
  readonly payerMayHaveBeenAsked: boolean;
}

/** A webhook was stored, or got another status. */
export interface WebhookEntry extends EntryBase {
  readonly __typename: 'TimelineWebhook';
  readonly deliveryId: string;
  readonly event: string;
  readonly previousStatus: string | null;
  readonly status: string;
  readonly errorClass: string | null;
}

/** An attempt at a webhook ended. */
export interface WebhookAttemptEntry extends EntryBase {
  readonly __typename: 'TimelineWebhookAttempt';
  readonly deliveryId: string;
  /** Null once the webhook is removed. */
  readonly event: string | null;
  readonly number: number;
  readonly ms: number;
  readonly statusCode: number | null;
  readonly errorClass: string | null;
  readonly nextAttemptAt: Date | null;
}

/** Something happened to the link of an operation. */
export interface LinkActivityEntry extends EntryBase {
  readonly __typename: 'TimelineLinkActivity';
  readonly linkId: string;
  /** A LinkActivity, as the links slice shows it. */
  readonly activity: object;
}

/** A call of the partner named the record, made it or changed it. */
export interface RequestEntry extends EntryBase {
  readonly __typename: 'TimelineRequest';
  readonly requestId: string;
  readonly surface: string;
  readonly method: string | null;
  readonly path: string | null;
  readonly operation: string | null;
  readonly status: number | null;
  readonly code: string | null;
  readonly ms: number;
}

export type TimelineEntry =
  | RequestEntry
  | StatusChangeEntry
  | PhaseEntry
  | PhaseFailureEntry
  | WebhookEntry
  | WebhookAttemptEntry
  | LinkActivityEntry;

/** The next action for a problem, and its description for clients. */
export const TIMELINE_ACTIONS = {
  WAIT: 'Wait: the service tries again at `nextAttemptAt`.',
  REPEAT_SAME_REQUEST:
    'Your server must send the same request again with the same id, never with another one. It continues where it stopped.',
  REQUEST_AGAIN: 'Your server must send a new request with a new id.',
  CORRECT_AND_REQUEST_AGAIN:
    'Your server must correct the error that `code` and `message` describe, and send a new request with a new id.',
  COMPLETE_IDENTITY_CHECK:
    'The user must complete an identity check (`createCipTicket`). Then your server must send a new request with a new id.',
  UNBLOCK_USER:
    'Decide whether to unblock the user (`unblockUser`). If you do, your server must send a new request with a new id.',
  MEND_ENDPOINT_AND_REPLAY:
    'Fix the server at the URL of the webhook, then send the webhook again (`replayWebhookDelivery`).',
  RESUME_ENDPOINT: 'Resume the endpoint of the webhook (`resumeWebhookEndpoint`): then the webhook is sent.',
  CONTACT_SUPPORT:
    'Contact the support of the platform. Do not request the money again: the payer may have been asked for the money or have paid, or the same request would be refused again.',
  ASK_OPERATOR:
    'The platform reviews the payment. Do not request the money again; for questions, contact the support of the platform.',
} as const;
export type TimelineAction = keyof typeof TIMELINE_ACTIONS;

/** The actions for webhooks that were given up, or wait for a paused endpoint. */
const UNDELIVERED_ACTIONS = [
  'MEND_ENDPOINT_AND_REPLAY',
  'RESUME_ENDPOINT',
] as const satisfies readonly TimelineAction[];

export type UndeliveredAction = (typeof UNDELIVERED_ACTIONS)[number];

/** Whether a problem is a webhook that was given up, or waits for a paused endpoint. */
export function isUndelivered({ nextAction }: Pick<TimelineProblem, 'nextAction'>): boolean {
  return UNDELIVERED_ACTIONS.some((action) => action === nextAction);
}

/** Why a record goes on slowly, or no more. */
export interface TimelineProblem {
  /** Where it stopped: a phase, a status, or the event of a webhook. */
  readonly step: string;
  /** Null where only a text is known. */
  readonly code: string | null;
  readonly message: string;
  readonly nextAction: TimelineAction;
  readonly at: Date;
  readonly nextAttemptAt: Date | null;
}

/** A webhook about a record. */
export interface TimelineDelivery {
  readonly id: string;
  /** When it was stored. */
  readonly at: Date;
}

/** One slice's part of the timeline of one record. */
export interface TimelineChapter {
  /** In any order. */
  readonly entries: readonly TimelineEntry[];
  /** Records of the same payment. */
  readonly related: readonly TimelineRecord[];
  /** Webhooks about the record, in any order. */
  readonly deliveries: readonly TimelineDelivery[];
  readonly problems: readonly TimelineProblem[];
  /** Whether there are older entries than these. */
  readonly isCut: boolean;
}

/** How the timeline of records of one type is read. */
export interface TimelineSource {
  readonly type: TimelineRecord['type'];
  /**
   * A record of the account, with its newest `most` changes; undefined where the account has none. An index serves each read.
   */
  read(accountId: AccountId, id: string, most: number): Promise<TimelineChapter | undefined>;
}

/** The id of a record's change; ids of one record sort as its versions do. */
export function changeId(record: TimelineRecord, version: number): string {
  return `${recordName(record)}:${String(version).padStart(9, '0')}:change`;
}
