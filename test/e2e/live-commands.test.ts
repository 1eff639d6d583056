import { beforeAll, expect, test } from '@jest/globals';
import { type CommandCounts, countCommands } from '../support/count-commands.ts';
import { injectInto } from '../support/http.ts';
import { createMoneyRequest, moneyRequestBody, newReference } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

/** The part of a change that a dashboard shows: fields of three subgraphs. */
const FOLLOW = `subscription ($after: String) {
  requestMoneyStatusChanged(after: $after) {
    cursor
    requestMoney { referenceId user { id links { nodes { status } } } operation { status } }
  }
}`;

const scene = useScene();
let target: TestApp;
let url: string;
beforeAll(async () => {
  const { env } = await scene.deploy();
  target = await buildTestApp(env);
  scene.atEnd(target.close);
  url = await target.app.listen({ host: '127.0.0.1', port: 0 });
});

/** The commands from a create to its event at each of so many subscribers. */
async function commandsFor(subscribers: number): Promise<CommandCounts> {
  const socket = await scene.subscriber({ url, connectionParams: { 'X-API-Key': KEYS.acme } });
  const subscriptions = Array.from({ length: subscribers }, () => socket.subscribe(FOLLOW));
  const open = async () => {
    const { activeFollowers } = await target.subgraphs.figures.events();
    return activeFollowers;
  };
  await until('all follow', async () => (await open()) === subscribers);
  const exchange = injectInto(target.app);
  const counts = await countCommands(target.connection, async () => {
    expect((await createMoneyRequest(exchange, moneyRequestBody(newReference()))).status).toBe(201);
    await Promise.all(subscriptions.map((subscription) => subscription.take(1)));
  });
  await socket.close();
  await until('none follows', async () => (await open()) === 0);
  return counts;
}

/** The reads of followers: the log, and the entities that the document selects. */
const readsOf = (counts: CommandCounts) => ({
  entities: Object.entries(counts)
    .filter(([command]) => /^find (moneyRequests|users|links|operations)$/.test(command))
    .sort(),
  log: counts['find events'] ?? 0,
});

test('A change is read once, however many of a tenant follow it', async () => {
  await commandsFor(1);
  const one = readsOf(await commandsFor(1));
  const many = readsOf(await commandsFor(100));
  expect(many.entities).toEqual(one.entities);
  expect(Object.fromEntries(many.entities)).toMatchObject({ 'find links': 1 });
  // The sequencer and the tail look by the clock too, more often where the machine is slow; a read for each would be a hundred.
  expect(many.log).toBeLessThan(one.log + 50);
});
