// The progress of a payment as steps: those behind it with their times, the present one, and those that are still to come.

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
  /** Statuses in which a record has failed. */
  readonly failed: readonly Name[];
  /** Statuses in which somebody ended a record, or nobody acted in time. */
  readonly ended?: readonly Name[];
}

/**
 * The steps of a record with a status. A status that the record came back to is shown twice.
 * @param now the present status
 * @param passed the statuses so far, oldest first; the earliest may be missing
 */
export function stepsOf<Name extends string>(
  { order, optional = [], failed, ended = [] }: Way<Name>,
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
  const place = Math.max(...moves.map(({ name }) => order.indexOf(name)));
  // Without a known place, nothing is known to be ahead.
  const ahead =
    last !== 'current' || place === -1
      ? []
      : order.slice(place + 1).filter((name) => !optional.includes(name));
  return [
    ...moves.map((move, index) => ({
      ...move,
      state: index < moves.length - 1 ? ('done' as const) : last,
    })),
    ...ahead.map((name) => ({ name, at: undefined, state: 'ahead' as const })),
  ];
}

/**
 * The steps of an atomic call: its phases, and its success. A failed call ends with the phase that failed: no other one comes.
 * @param began when phases began, the earliest may be missing
 */
export function phaseSteps<Phase extends string, Success extends string>(
  phases: readonly Phase[],
  {
    phase,
    isOpen,
    success,
  }: { readonly phase: Phase; readonly isOpen: boolean; readonly success?: Passed<Success> },
  began: readonly Passed<Phase>[],
): Step<Phase | Success>[] {
  const place = phases.indexOf(phase);
  const shown = isOpen || success ? phases : phases.slice(0, place + 1);
  return [
    ...shown.map((name, index) => ({
      name,
      at: began.findLast((one) => one.name === name)?.at,
      state:
        success || index < place
          ? ('done' as const)
          : index > place
            ? ('ahead' as const)
            : isOpen
              ? ('current' as const)
              : ('failed' as const),
    })),
    ...(success ? [{ ...success, state: 'done' as const }] : []),
  ];
}
