/** What the timeline of a link records (decisions, section 4). */
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

/** An entry of a link's timeline, in clear. Never changed. */
export interface Activity {
  activityId: string;
  tenantId: string;
  linkId: string;
  /** The link's version since. */
  number: number;
  type: ActivityType;
  actor: ActivityActor;
  status: ActivityStatus;
  /** Ids and names of fields, never personal data. */
  data: Record<string, unknown>;
  /** Why it failed, in somebody's words. */
  error?: string;
  /** Milliseconds since what it ended began. */
  durationMs?: number;
  /** Never before the entry before it in the same timeline. */
  occurredAt: Date;
}

/** What happened to a link, before it has its place in the timeline. */
export interface ActivityInput {
  readonly type: ActivityType;
  readonly actor: ActivityActor;
  /** Ids and names of fields, never personal data. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Why it went wrong; what has an error has the status `error`. */
  readonly error?: string;
  /** When what ends with it began: what its duration is counted from. */
  readonly since?: Date;
}

const NUMBER_DIGITS = 6;

/** Sorts as the numbers do. */
export function activityIdOf(linkId: string, number: number): string {
  return `act_${linkId.slice(linkId.indexOf('_') + 1)}_${String(number).padStart(NUMBER_DIGITS, '0')}`;
}
