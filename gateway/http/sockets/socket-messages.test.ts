import { expect, test } from '@jest/globals';
import { speakProtocol } from './socket-protocol.ts';

/** The closes of a socket without a greeting after it has got a message. */
async function closesOf(text: string): Promise<[number, string][]> {
  const closes: [number, string][] = [];
  const protocol = speakProtocol(
    {
      send: () => Promise.resolve(),
      close: (code, reason) => void closes.push([code, reason]),
      textOf: JSON.stringify,
      formatError: () => ({ message: 'unknown' }),
      report: () => undefined,
    },
    { connect: () => true, start: () => Promise.resolve({ unrun: [] }) },
    60_000,
  );
  await protocol.receive(text);
  protocol.closed();
  return closes;
}

const KEY = 'k'.repeat(64);
const UNKNOWN = 'The message must be one of the graphql-transport-ws protocol';

test.each<[string, string, number, string]>([
  ['no JSON', '{"type":', 4400, 'The message must be JSON'],
  ['an unknown type', '{"type":"4242424242424242"}', 4400, UNKNOWN],
  ['no id', '{"type":"subscribe","payload":{"query":"{ a }"}}', 4400, UNKNOWN],
  [
    'a key twice',
    `{"type":"ping","payload":{"${KEY}":1,"${KEY}":2}}`,
    4400,
    `The message has the key "${KEY}" more than once in an object`,
  ],
  [
    'too many levels',
    `{"type":"ping","payload":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
    4400,
    'The message must have at most 256 levels',
  ],
  [
    'a type of servers',
    '{"type":"connection_ack"}',
    4400,
    'Only servers send messages of the type connection_ack',
  ],
  [
    'a result',
    '{"type":"next","id":"1","payload":{"data":null}}',
    4400,
    'Only servers send messages of the type next',
  ],
  [
    'an operation before the greeting',
    '{"type":"subscribe","id":"1","payload":{"query":"{ a }"}}',
    4401,
    'Unauthorized',
  ],
])('A socket closes on a message with %s and names the fault', async (_name, text, code, reason) => {
  expect(await closesOf(text)).toEqual([[code, reason]]);
});
