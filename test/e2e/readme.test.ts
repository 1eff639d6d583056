import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { comparable, readUntil } from '../support/snippets.ts';
import { until } from '../support/until.ts';

// The README's example, on the program that `npm start` runs: bundling must leave every type of the graph its name.

const scene = useScene();
const readme = readFileSync('README.md', 'utf8');
const HEADERS = { 'content-type': 'application/json', 'x-api-key': KEYS.acme };

/** The example that begins so, and the answer that the README shows behind it. */
function exampleOf(language: string, start: string): { text: string; answer: unknown } {
  const pattern = new RegExp(`\`\`\`${language}\\n(${start}[^\`]*)\`\`\`\\n\`\`\`json\\n([^\`]*)\`\`\``);
  const [, text = '', answer = 'null'] = pattern.exec(readme) ?? [];
  return { text, answer: JSON.parse(answer) };
}

/** The same without what differs from one server to the next, the partner included. */
const ofAnyPartner = (answer: unknown) =>
  comparable(JSON.parse(JSON.stringify(answer).replaceAll('acme.test', 'demo.test')));

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
  const pattern = /^event: next\ndata: (.*)\n\n/m;
  const [, event = ''] = pattern.exec(await readUntil(stream, pattern)) ?? [];
  return JSON.parse(event);
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
  expect(ofAnyPartner(await created.json())).toEqual(ofAnyPartner(create.answer));

  const query = exampleOf('graphql', 'query');
  expect(ofAnyPartner(await (await graphql(query.text)).json())).toEqual(ofAnyPartner(query.answer));

  // A subscription sends the events that get their number from then on.
  await until('the number of the event', async () => (await latestCursor()) !== beginning);
  const subscription = exampleOf('graphql', 'subscription');
  const stream = await graphql(subscription.text, 'text/event-stream');
  const mutation = exampleOf('graphql', 'mutation');
  expect(ofAnyPartner(await (await graphql(mutation.text)).json())).toEqual(ofAnyPartner(mutation.answer));
  expect(ofAnyPartner(await readEvent(stream))).toEqual(ofAnyPartner(subscription.answer));
});
