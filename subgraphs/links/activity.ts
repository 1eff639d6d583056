import type { AccountId } from '../kernel/account.ts';

/** The types of entries in a link's timeline (decisions, section 4). */
export const ACTIVITY_TYPES = [
  'link.created',
  'link.opened',
  'link.revoked',
  'cip.ticket_created',
  'cip.verified',
  'cip.failed',
  'data_request.created',
  'data_request.fulfilled',
  'operation.created',
  'operation.status_changed',
] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

export const ACTIVITY_ACTORS = ['partner', 'user', 'system'] as const;
export type ActivityActor = (typeof ACTIVITY_ACTORS)[number];

export const ACTIVITY_STATUSES = ['success', 'error'] as const;
export type ActivityStatus = (typeof ACTIVITY_STATUSES)[number];

/** An entry of a link's timeline, unsealed. It never changes. */
export interface Activity {
  activityId: string;
  accountId: AccountId;
  linkId: string;
  /** The link's version after it. */
  number: number;
  type: ActivityType;
  actor: ActivityActor;
  status: ActivityStatus;
  /** Ids and names of fields, never personal data. */
  data: Record<string, unknown>;
  /** Why it failed, as free text. */
  error?: string;
  /** Milliseconds from the beginning of what it ended. */
  durationMs?: number;
  /** Never earlier than the entry before it in the same timeline. */
  occurredAt: Date;
}

/** An activity of a link before it has its place in the timeline. */
export interface ActivityInput {
  readonly type: ActivityType;
  readonly actor: ActivityActor;
  /** Ids and names of fields, never personal data. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Why it failed; an activity with an error has the status `error`. */
  readonly error?: string;
  /** The beginning of what ends with it: its duration counts from here. */
  readonly since?: Date;
}

const NUMBER_DIGITS = 6;

/** The text sorts like the numbers. */
export function activityIdOf(linkId: string, number: number): string {
  return `act_${linkId.slice(linkId.indexOf('_') + 1)}_${String(number).padStart(NUMBER_DIGITS, '0')}`;
}
