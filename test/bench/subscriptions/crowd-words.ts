/** One subscription of a crowd. */
export interface Wanted {
  readonly key: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The commands for a crowd. */
export type CrowdOrder =
  /** Opens sockets and subscribes on them; `opened` answers when all have been acknowledged and asked for. */
  | {
      readonly kind: 'open';
      readonly url: string;
      readonly query: string;
      readonly wanted: readonly Wanted[];
      /** Subscriptions on each socket. */
      readonly perSocket: number;
      /** Reports the `statusDetails` of each change, too. */
      readonly details?: boolean;
    }
  /** Calls the same query over and over, each caller at a pace of its own with a random start; `polling` answers. */
  | {
      readonly kind: 'poll';
      readonly url: string;
      readonly query: string;
      readonly wanted: readonly Wanted[];
      readonly everyMs: number;
    }
  /** `taken` answers with everything since the last time. */
  | { readonly kind: 'take' }
  /** Ends all sockets and polls; `closed` answers. */
  | { readonly kind: 'close' };

/** A change that reached a client. */
export interface Arrival {
  /** Which of the wanted. */
  readonly index: number;
  /** By the monotonic clock of the machine, milliseconds: the same in all of its processes. */
  readonly at: number;
  /** Its first `statusDetails`, if the order has asked for it. */
  readonly details?: string | undefined;
}

/** The events of a crowd since the last time. */
export interface Taken {
  readonly kind: 'taken';
  readonly arrivals: readonly Arrival[];
  /** HTTP requests, or messages of a socket that were sent. */
  readonly requests: number;
  /** Both ways, on the connections, headers and frames included. */
  readonly bytes: number;
  /** Sockets that were closed and answers that were no success, each in a word or two. */
  readonly problems: readonly string[];
}

export type CrowdWord =
  | { readonly kind: 'ready' }
  | { readonly kind: 'opened' }
  | { readonly kind: 'polling' }
  | { readonly kind: 'closed' }
  | Taken;

/** The monotonic clock of the machine, milliseconds. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
