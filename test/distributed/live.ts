import WebSocket from 'ws';
import { createLiveClient } from '../../gateway/client/index.ts';
import { say } from '../bench/stand.ts';
import { KEYS } from '../support/seed.ts';

const FOLLOW = `subscription ($after: String) {
  requestMoneyStatusChanged(after: $after) { cursor status requestMoney { referenceId } }
}`;

/** References of money requests as they come live, across all that happens to gateways and subgraphs. */
export async function followLive(url: string): Promise<{ references: string[]; stop(): void }> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': KEYS.acme },
    body: '{"query":"{ latestEventCursor }"}',
  });
  const { data } = (await answer.json()) as { data: { latestEventCursor: string } };
  const client = createLiveClient({
    url: `${url}/graphql`,
    credential: { apiKey: KEYS.acme },
    transport: 'websocket',
    webSocket: WebSocket,
    backoff: { baseMs: 100, capMs: 1_000 },
  });
  const references: string[] = [];
  const events = client.follow<{ requestMoneyStatusChanged: { requestMoney: { referenceId: string } } }>({
    query: FOLLOW,
    after: data.latestEventCursor,
  });
  const read = async () => {
    for await (const event of events) {
      references.push(event.data.requestMoneyStatusChanged.requestMoney.referenceId);
    }
  };
  read().catch((error: Error) => say(`The live client has ended: ${error.message}`));
  return { references, stop: () => client.close() };
}
