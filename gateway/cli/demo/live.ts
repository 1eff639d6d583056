import { fieldOf } from '../../../subgraphs/kernel/objects.ts';
import { createGraphSocket } from '../graph-socket.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { LIVE_STATUSES, type StatusEvent } from './operations.ts';

/** An open subscription. */
export interface LiveStatuses {
  readonly events: Pick<Inbox<StatusEvent>, 'collect'>;
  close(): void;
}

/**
 * Follows the statuses of all money requests of the partner over WebSocket (`graphql-transport-ws`). When that fails or ends,
 * the collector of events gets the reason.
 */
export function followStatuses(url: string, key: string): LiveStatuses {
  const events = createInbox<StatusEvent>();
  const client = createGraphSocket(url, key);
  const end = (reason: string) => events.fail(new Error(`the subscription ended: ${reason}`));
  client.subscribe<{ requestMoneyStatusChanged: StatusEvent }>(
    { query: LIVE_STATUSES },
    {
      next: ({ data, errors }) =>
        data ? events.put(data.requestMoneyStatusChanged) : end(JSON.stringify(errors)),
      error: (issue) => end(describe(issue)),
      complete: () => end('completed by the server'),
    },
  );
  return { events, close: () => void client.dispose() };
}

/** An error, the close event of the socket, or GraphQL errors. */
function describe(issue: unknown): string {
  if (issue instanceof Error) {
    return issue.message;
  }
  const code = fieldOf(issue, 'code');
  return code === undefined
    ? JSON.stringify(issue)
    : `close code ${String(code)} ${String(fieldOf(issue, 'reason') ?? '')}`;
}
