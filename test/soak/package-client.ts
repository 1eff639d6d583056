import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { createLiveClient, type LiveState } from '../../gateway/client/index.ts';
import { anyFilter } from './changes.ts';
import { documentFor, type LiveClient, type LiveClientOptions } from './clients.ts';

interface Data {
  readonly operationStatusChanged: { readonly text: string };
}

/** So few may wait that a slow one has to let its connection go again and again. */
const BUFFER = 10;
/** A slow one rests after one of so many events. */
const RESTS_AFTER = 60;
const RESTS_MS = 1_000;

/** Follows with `remitgraph/client`. Each of its connections goes to the next gateway, as behind a load balancer. */
export function startPackageClient(options: LiveClientOptions): LiveClient {
  const filter = anyFilter();
  const texts: string[] = [];
  const ends: string[] = [];
  let connections = 0;
  const nextUrl = () => {
    connections += 1;
    return `${options.urls[connections % options.urls.length]}/graphql`;
  };
  class NextWebSocket extends WebSocket {
    constructor(_url: string, protocol: string) {
      super(nextUrl().replace('http', 'ws'), protocol);
    }
  }
  const client = createLiveClient({
    url: nextUrl(),
    credential: { apiKey: options.key },
    transport: options.transport,
    webSocket: NextWebSocket,
    fetch: (_url, init) => fetch(nextUrl(), init),
    buffer: BUFFER,
    backoff: { baseMs: 200, capMs: 2_000 },
  });
  const onState = (state: LiveState) => {
    if (state.name === 'resuming') {
      ends.push(`package ${state.because.code}`);
    }
  };
  const read = async () => {
    const query = documentFor(options);
    const events = client.follow<Data>({ query, variables: { ...filter }, after: options.cursor, onState });
    for await (const { data } of events) {
      texts.push(data.operationStatusChanged.text);
      if (options.isSlow && randomInt(RESTS_AFTER) === 0) {
        await sleep(RESTS_MS);
      }
    }
  };
  const running = read().catch((error: Error) => void ends.push(`package failed: ${error.message}`));
  return {
    name: options.name,
    filter,
    texts,
    ends,
    stop: async () => {
      client.close();
      await running;
    },
  };
}
