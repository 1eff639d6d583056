import type { Connection } from 'mongoose';
import type { Config } from '../../../subgraphs/kernel/config/load.ts';

/** The result of a check. */
export interface Finding {
  /** Name of the check, such as `clock`. */
  readonly check: string;
  /** A failure prevents the product from working correctly now; a warning will or may do so later. */
  readonly status: 'ok' | 'warning' | 'failure';
  /** One sentence for people. */
  readonly what: string;
  /** The fix; absent if the check passed. */
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

/** The dependencies of the checks of a database. */
export interface Examined {
  readonly connection: Connection;
  readonly config: Config;
  readonly now: () => Date;
}
