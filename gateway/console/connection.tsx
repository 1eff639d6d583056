import { HASHES, LIVE_TEXTS } from 'console:documents';
import { createLiveClient, type LiveClient } from '../client/index.ts';
import { createGraph } from './graph.ts';
import { SERVICE } from './root.ts';
import { noteEnded, OWN_HEADERS } from './session.tsx';

const URL_OF_GRAPH = new URL(`${SERVICE}/graphql`, location.href).href;

/** Runs the console's documents. */
export const graph = createGraph({
  url: URL_OF_GRAPH,
  hashes: HASHES,
  fetch: (...call) => fetch(...call),
  headers: () => OWN_HEADERS,
  onSignedOut: noteEnded,
});

/** Follows changes: one WebSocket for all that a page follows. */
export const live: LiveClient = createLiveClient({
  url: URL_OF_GRAPH,
  credential: { cookie: true, headers: OWN_HEADERS },
  backoff: { baseMs: 500, capMs: 5_000 },
});

export { LIVE_TEXTS };
