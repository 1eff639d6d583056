import { OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { type LiveClient, LiveError, type LiveEvent, type LiveList } from '../../client/index.ts';

/** A present or former status of a money request. */
export interface StatusChange {
  /** Such as `PENDING`. */
  readonly status: string;
  readonly statusDetails: string;
  /** Time of the status, ISO 8601. */
  readonly at: string;
  /** The place in the event log; later changes come after it. */
  readonly cursor: string;
}

interface WatchDeps {
  readonly client: Pick<LiveClient, 'listThenFollow'>;
  readonly reference: string;
  /** The partner to which the key must belong; undefined for any partner. */
  readonly tenant: string | undefined;
  /** Gets each status once. */
  show(change: StatusChange): void;
  /** Reports progress to the user. */
  say(line: string): void;
}

const FIND = `query ($reference: String!) {
  latestEventCursor
  me { id }
  requestMoney(referenceId: $reference) { status statusDetails updatedAt }
}`;
const FOLLOW = `subscription ($reference: String!, $after: String!) {
  requestMoneyStatusChanged(referenceId: $reference, after: $after) {
    cursor status statusDetails occurredAt
  }
}`;

interface Found {
  readonly me: { readonly id: string };
  readonly requestMoney: {
    readonly status: string;
    readonly statusDetails: string;
    readonly updatedAt: string;
  } | null;
}

interface Followed {
  readonly requestMoneyStatusChanged: {
    readonly status: string;
    readonly occurredAt: string;
    readonly statusDetails: string | null;
  };
}

const FINAL: ReadonlySet<string> = new Set(['COMPLETED', 'REJECTED', 'CANCELLED']);

/**
 * Prints each status of a money request until its last, which it returns. After an outage of the server it continues after
 * the last event: no status is missing or printed twice.
 * @throws OperatorError for an unknown money request, a key that is not valid, and other problems that only the operator can fix
 */
export async function watch(deps: WatchDeps): Promise<string> {
  const { client, reference, show, say } = deps;
  const variables = { reference };
  let last: StatusChange | undefined;
  let isAway = false;
  const items = client.listThenFollow<Found, Followed>({
    list: { query: FIND, variables },
    follow: { query: FOLLOW, variables },
    onState: ({ name }) => {
      if (name === 'resuming' && !isAway) {
        isAway = true;
        say('The server is away. Trying again …');
      }
    },
  });
  try {
    for await (const item of items) {
      const change = item.kind === 'list' ? presentOf(item, deps) : changeOf(item);
      if (last === undefined || isDifferent(last, change)) {
        isAway = false;
        show(change);
      }
      last = change;
      if (FINAL.has(change.status)) {
        return change.status;
      }
    }
  } catch (error) {
    throw error instanceof LiveError ? toOperatorError(error) : error;
  }
  throw new Error('The live client was closed');
}

function presentOf({ data, cursor }: LiveList<Found>, { tenant, reference }: WatchDeps): StatusChange {
  if (tenant !== undefined && data.me.id !== tenant) {
    throw new OperatorError(`KEY is a key of ${data.me.id}, not of ${tenant}.`);
  }
  if (data.requestMoney === null) {
    throw new OperatorError(`${data.me.id} has no money request ${reference}.`);
  }
  const { updatedAt: at, ...rest } = data.requestMoney;
  return { ...rest, at, cursor };
}

function changeOf({ data, cursor }: LiveEvent<Followed>): StatusChange {
  const { status, statusDetails, occurredAt: at } = data.requestMoneyStatusChanged;
  return { cursor, status, at, statusDetails: statusDetails ?? '' };
}

/** A status that is read again because its cursor expired may have been printed already. */
function isDifferent(one: StatusChange, other: StatusChange): boolean {
  return one.status !== other.status || one.statusDetails !== other.statusDetails || one.at !== other.at;
}

function toOperatorError({ code, message }: LiveError): OperatorError {
  return new OperatorError(
    code === 'UNAUTHENTICATED' ? 'KEY is not a valid API key, or no longer.' : message,
  );
}
