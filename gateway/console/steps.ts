// The progress of a payment as steps: those behind it with their times, the present one, and those that are still to come.

import { type ConsoleTimelinePageFragment, OperationStatus } from './documents/types.ts';

type Entry = ConsoleTimelinePageFragment['nodes'][number];

/** A step of a payment. */
export interface Step<Name extends string> {
  readonly name: Name;
  /** When it began; undefined if that is not known, or still to come. */
  readonly at: string | undefined;
  readonly state: 'done' | 'current' | 'failed' | 'ended' | 'ahead';
}

/** A status that a record has had. */
export interface Passed<Name extends string> {
  readonly name: Name;
  readonly at: string;
}

/** The way of a record to success. */
export interface Way<Name extends string> {
  /** All statuses to success, in order. */
  readonly order: readonly Name[];
  /** Statuses that not all records have: they are only shown once they are passed. */
  readonly optional?: readonly Name[];
  /** Statuses that stay true however the record ends: the payer was asked, the money arrived. */
  readonly lasting?: readonly Name[];
  /** Statuses in which a record has failed. */
  readonly failed: readonly Name[];
  /** Statuses in which somebody ended a record, or nobody acted in time. */
  readonly ended?: readonly Name[];
}

/**
 * The steps of a record with a status. A status that the record came back to is shown twice. The step in which it failed or was
 * ended has the mark of the end, as the end itself has, unless that step stays true.
 * @param now the present status
 * @param passed the statuses so far, oldest first; the earliest may be missing
 */
export function stepsOf<Name extends string>(
  { order, optional = [], lasting = [], failed, ended = [] }: Way<Name>,
  now: Name,
  passed: readonly Passed<Name>[],
): Step<Name>[] {
  const moves: { readonly name: Name; readonly at: string | undefined }[] = passed.filter(
    ({ name }, index) => name !== passed[index - 1]?.name,
  );
  if (moves.at(-1)?.name !== now) {
    moves.push({ name: now, at: undefined });
  }
  const last =
    now === order.at(-1)
      ? ('done' as const)
      : failed.includes(now)
        ? ('failed' as const)
        : ended.includes(now)
          ? ('ended' as const)
          : ('current' as const);
  const hasEnded = last === 'failed' || last === 'ended';
  const place = Math.max(...moves.map(({ name }) => order.indexOf(name)));
  // Without a known place, nothing is known to be ahead.
  const ahead =
    last !== 'current' || place === -1
      ? []
      : order.slice(place + 1).filter((name) => !optional.includes(name));
  return [
    ...moves.map((move, index) => ({
      ...move,
      state:
        index === moves.length - 1 || (hasEnded && index === moves.length - 2 && !lasting.includes(move.name))
          ? last
          : ('done' as const),
    })),
    ...ahead.map((name) => ({ name, at: undefined, state: 'ahead' as const })),
  ];
}

/**
 * The steps of an atomic call: its phases, and then those of the payment. A failed call ends with the phase that failed: no other
 * one comes.
 * @param began when phases began, the earliest may be missing
 */
export function phaseSteps<Phase extends string, Later extends string>(
  phases: readonly Phase[],
  {
    phase,
    isOpen,
    payment = [],
  }: {
    readonly phase: Phase;
    readonly isOpen: boolean;
    /** The steps after the phases of a call that succeeded; none for others. */
    readonly payment?: readonly Step<Later>[];
  },
  began: readonly Passed<Phase>[],
): Step<Phase | Later>[] {
  const hasSucceeded = payment.length > 0;
  const place = phases.indexOf(phase);
  const shown = isOpen || hasSucceeded ? phases : phases.slice(0, place + 1);
  return [
    ...shown.map((name, index) => ({
      name,
      at: began.findLast((one) => one.name === name)?.at,
      state:
        hasSucceeded || index < place
          ? ('done' as const)
          : index > place
            ? ('ahead' as const)
            : isOpen
              ? ('current' as const)
              : ('failed' as const),
    })),
    ...payment,
  ];
}

/** The changes of status of one record among the entries of a timeline, as steps take them. */
export function statusesOf<Status extends string>(
  entries: readonly Entry[],
  subjectId: string,
  subject: Extract<Entry, { readonly __typename: 'TimelineStatusChange' }>['subject'],
  statuses: readonly Status[],
): Passed<Status>[] {
  return entries.flatMap((entry) => {
    if (
      entry.__typename !== 'TimelineStatusChange' ||
      entry.subject !== subject ||
      entry.subjectId !== subjectId
    ) {
      return [];
    }
    const name = statuses.find((status) => status === entry.status);
    return name === undefined ? [] : [{ name, at: entry.at }];
  });
}

const OPERATION_STATUSES = Object.values(OperationStatus);
const OPERATION_WAY: Way<OperationStatus> = {
  order: ['SENT', 'ACCEPTED', 'FUNDING', 'FUNDED', 'IN_TRANSIT', 'READY_FOR_PICKUP', 'COMPLETED'],
  optional: ['ACCEPTED', 'IN_TRANSIT', 'READY_FOR_PICKUP'],
  lasting: ['SENT', 'ACCEPTED', 'FUNDED'],
  failed: ['REJECTED', 'FAILED'],
  ended: ['CANCELLED'],
};

/**
 * The steps of an operation. The atomic call or v2 request that created it ends with them, too: its own success says nothing about
 * the payment.
 */
export function operationSteps(
  { id, status }: { readonly id: string; readonly status: OperationStatus },
  entries: readonly Entry[],
): Step<OperationStatus>[] {
  return stepsOf(OPERATION_WAY, status, statusesOf(entries, id, 'OPERATION', OPERATION_STATUSES));
}
