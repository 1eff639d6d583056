/** What a check has found. */
export interface Finding {
  /** What was looked at, such as `clock`. */
  readonly check: string;
  /** A failure keeps the product from working as it should; a warning will, or may. */
  readonly status: 'ok' | 'warning' | 'failure';
  /** One sentence for people. */
  readonly what: string;
  /** What to do about it; absent when all is well. */
  readonly fix?: string;
}

export function well(check: string, what: string): Finding {
  return { check, status: 'ok', what };
}

export function warning(check: string, what: string, fix: string): Finding {
  return { check, status: 'warning', what, fix };
}

export function failure(check: string, what: string, fix: string): Finding {
  return { check, status: 'failure', what, fix };
}
