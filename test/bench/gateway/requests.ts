import type { RequestData } from 'autocannon';
import type { LoadedServer } from '../processes.ts';
import type { QueryName } from './queries.ts';
import { QUERIES } from './queries.ts';

let turn = 0;

/** Makes requests that differ in their `authorization`, so that no gateway may answer two of them at once. */
export function requestsFor(query: QueryName): () => RequestData {
  const body = JSON.stringify({ query: QUERIES[query] });
  return () => {
    turn += 1;
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${turn}` };
    return { method: 'POST', path: '/graphql', headers, body };
  };
}

/** Sends one document, and answers with status, text and milliseconds to the last byte. */
export async function sendDocument(
  { url }: LoadedServer,
  body: string,
): Promise<{ status: number; text: string; ms: number }> {
  turn += 1;
  const start = performance.now();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${turn}` },
    body,
  });
  const text = await response.text();
  return { status: response.status, text, ms: performance.now() - start };
}
