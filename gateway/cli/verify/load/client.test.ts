import { createServer, type Server } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { portOf } from '../../../http/port-of.ts';
import { createPartnerClient } from './client.ts';
import { createLatencies } from './latencies.ts';

const CALL = { method: 'GET', path: '/' } as const;

let server: Server;
afterEach(() => void server.close());

/** A client of a server that answers with these statuses, one after the other; the last one for ever. */
async function clientOf(statuses: readonly number[], signal: AbortSignal) {
  let calls = 0;
  server = createServer((_request, response) => {
    const status = statuses[Math.min(calls, statuses.length - 1)] ?? 0;
    calls += 1;
    response.writeHead(status, { connection: 'close' }).end(`answer ${calls}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const latencies = createLatencies();
  const url = `http://127.0.0.1:${portOf(server)}`;
  return { client: createPartnerClient({ url, key: 'key' }, latencies, signal), latencies };
}

test('A call that was answered 503 is sent again, and its answer says so', async () => {
  const { client, latencies } = await clientOf([503, 200], new AbortController().signal);
  expect(await client.call('read', CALL)).toEqual({ status: 200, text: 'answer 2', isRepeated: true });
  expect(await client.call('read', CALL)).toEqual({ status: 200, text: 'answer 3', isRepeated: false });
  expect(client.repeats()).toBe(1);
  expect(latencies.lines()).toEqual([expect.stringMatching(/^read 2: p50 /)]);
});

test('A call is not sent again after the signal', async () => {
  const stopping = new AbortController();
  const { client } = await clientOf([503], stopping.signal);
  const call = client.call('read', CALL);
  stopping.abort(new Error('stopped'));
  await expect(call).rejects.toThrow('stopped');
  expect(client.repeats()).toBe(0);
});
