import { WebSocket } from 'ws';
import { type BackoffOptions, createLiveClient, type LiveClient } from '../client/index.ts';
import { graphUrlOf } from './server-url.ts';

/**
 * The published client of live events, for commands: it reconnects and resumes by itself.
 * @param server the URL of the server
 */
export function liveClientOf(server: string | URL, key: string, backoff: BackoffOptions): LiveClient {
  return createLiveClient({
    url: graphUrlOf(server),
    credential: { apiKey: key },
    transport: 'websocket',
    // Node 20 has no WebSocket of its own.
    webSocket: WebSocket,
    backoff,
  });
}
