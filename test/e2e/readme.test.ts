import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { until } from '../support/until.ts';

// What the README shows, on the program that `npm start` runs: bundling must leave every type of the graph its name.

const scene = useScene();
const readme = readFileSync('README.md', 'utf8');
const HEADERS = { 'content-type': 'application/json', 'x-api-key': KEYS.acme };

/** The example that begins so, and the answer that the README shows behind it. */
function exampleOf(language: string, start: string): { text: string; answer: unknown } {
  const pattern = new RegExp(`\`\`\`${language}\\n(${start}[^\`]*)\`\`\`\\n\`\`\`json\\n([^\`]*)\`\`\``);
  const [, text = '', answer = 'null'] = pattern.exec(readme) ?? [];
  return { text, answer: JSON.parse(answer) };
}

/** The same without what differs from one server to the next: the tenant, ids and cursors. */
function comparable(answer: unknown): unknown {
  const text = JSON.stringify(answer)
    .replaceAll('acme.test', 'demo.test')
    .replaceAll(/(?<=\/fund\/)[\w-]{22}/g, '…')
    .replaceAll(/(?<="latestEventCursor":"|"cursor":")[\w-]{40,}/g, '…')
    .replaceAll(/(?<="usr_)[\w-]{20}/g, '…');
  return JSON.parse(text);
}

let url: string;

beforeAll(async () => {
  const deployment = await scene.deploy({ processes: true });
  url = (await deployment.start()).url;
});

const graphql = (query: string, accept = 'application/json') =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { ...HEADERS, accept },
    body: JSON.stringify({ query }),
  });

/** Where the event log stands: it changes when an event gets its number. */
async function latestCursor(): Promise<string> {
  const answer = await graphql('{ latestEventCursor }');
  const { data } = (await answer.json()) as { data: { latestEventCursor: string } };
  return data.latestEventCursor;
}

async function readEvent(stream: Response): Promise<unknown> {
  let text = '';
  for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const [, event] = /^event: next\ndata: (.*)\n\n/m.exec(text) ?? [];
    if (event !== undefined) {
      return JSON.parse(event);
    }
  }
  throw new Error(`The stream ended without an event: ${text}`);
}

test('its examples answer what it says', async () => {
  const beginning = await latestCursor();
  const create = exampleOf('sh', 'curl localhost:4000/v1/request-money');
  const [body] = /(?<=-d ')[^']*/.exec(create.text) ?? [];
  const created = await fetch(`${url}/v1/request-money`, {
    method: 'POST',
    headers: HEADERS,
    body: String(body),
  });
  expect(comparable(await created.json())).toEqual(comparable(create.answer));

  const query = exampleOf('graphql', 'query');
  expect(comparable(await (await graphql(query.text)).json())).toEqual(comparable(query.answer));

  // A subscription tells what gets its number from then on.
  await until('the number of the event', async () => (await latestCursor()) !== beginning);
  const subscription = exampleOf('graphql', 'subscription');
  const stream = await graphql(subscription.text, 'text/event-stream');
  const mutation = exampleOf('graphql', 'mutation');
  expect(comparable(await (await graphql(mutation.text)).json())).toEqual(comparable(mutation.answer));
  expect(comparable(await readEvent(stream))).toEqual(comparable(subscription.answer));
});
