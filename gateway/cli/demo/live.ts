import { messageOf } from '../../../subgraphs/kernel/errors/thrown.ts';
import { listen } from '../../client/index.ts';
import { liveClientOf } from '../live-client.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { LIVE_STATUSES, type StatusEvent } from './operations.ts';

/** An open subscription. */
export interface LiveStatuses {
  readonly events: Pick<Inbox<StatusEvent>, 'collect'>;
  /** Resolves when every later change comes as an event, or when the subscription has failed. */
  readonly started: Promise<void>;
  close(): void;
}

const BACKOFF = { baseMs: 500, capMs: 2_000 };

/**
 * Follows the statuses of all money requests of the partner over WebSocket (`graphql-transport-ws`). When that fails or ends,
 * the collector of events gets the reason.
 */
export function followStatuses(url: string, key: string): LiveStatuses {
  const events = createInbox<StatusEvent>();
  const client = liveClientOf(url, key, BACKOFF);
  const started = new Promise<void>((resolve) => {
    const followed = client.follow<{ requestMoneyStatusChanged: StatusEvent }>({
      query: LIVE_STATUSES,
      onState: ({ name }) => {
        if (name === 'live' || name === 'ended') {
          resolve();
        }
      },
    });
    listen(followed, {
      next: ({ data }) => events.put(data.requestMoneyStatusChanged),
      ended: (failure) => {
        const reason = failure === undefined ? 'it was closed' : messageOf(failure.error);
        events.fail(new Error(`the subscription ended: ${reason}`));
      },
    });
  });
  return { events, started, close: () => client.close() };
}
