/** @only-in-full */
import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { paceOf } from '../../runner/pace.ts';
import type { ConsolePage } from '../../support/console-page.ts';
import { type ConsoleStage, describeInBrowser, openConsoleStage } from '../../support/console-stage.ts';
import { IS_FULL } from '../../support/depth.ts';
import { createMoneyRequest, moneyRequestBody, newReference } from '../../support/money-requests.ts';
import { useScene } from '../../support/scene.ts';
import { KEYS } from '../../support/seed.ts';
import { TEST_URI_VARIABLE } from '../../support/test-database.ts';
import { setTransactionLifetime, USUAL_LIFETIME_SECONDS } from '../../support/transaction-lifetime.ts';
import { until } from '../../support/until.ts';
import { listDeliveries } from '../../support/webhook-graph.ts';
import { Changes, cursorsIn, percentile, readRows, readSeen, showStored, watchRows } from './live.ts';

/** In the full form it prints its figures. */
const [CHANGES, RESTARTS, TIMED] = IS_FULL ? [300, 3, 20] : [45, 1, 5];
const PER_SECOND = 25;
const TIMEOUT_MS = 120_000 + (CHANGES / PER_SECOND) * 2_000 + RESTARTS * 20_000;
const uri = process.env[TEST_URI_VARIABLE] ?? '';

const scene = useScene();
afterAll(() => setTransactionLifetime(uri, USUAL_LIFETIME_SECONDS));

describeInBrowser('Live updates in the console', () => {
  let stage: ConsoleStage;
  let person: ConsolePage;
  let changes: Changes;
  let signal: NodeJS.Signals;
  beforeAll(async () => {
    // Where a store keeps the transactions of a process that was killed for a minute, no process is killed.
    signal = (await setTransactionLifetime(uri, 4)) ? 'SIGKILL' : 'SIGTERM';
    // A test holds an answer to a webhook while a page opens.
    stage = await openConsoleStage(scene, { processes: true, env: { WEBHOOK_TIMEOUT_SECONDS: '60' } });
    person = stage.person;
    changes = new Changes(stage.server.url);
    await person.signIn(KEYS.acme);
    await person.open('/money-requests');
    await isLive();
    await watchRows(person);
  });

  const isLive = () => person.page.until(`document.querySelector('[data-state=live]')`);
  const print = (what: string, values: readonly number[]) =>
    IS_FULL && process.stdout.write(`${what}: p95 ${percentile(values, 0.95)} ms of ${values.length}\n`);
  const cursors = () => cursorsIn(person.page.messages);
  const countEvents = async () =>
    (await stage.deployment.database())
      .collection('events')
      .countDocuments({ accountId: 'acme/sandbox', entity: 'requestMoney' });
  const untilCaughtUp = () =>
    until('all events', async () => new Set(cursors()).size === (await countEvents()));

  test('shows new rows on request, and changes of shown rows in place, within a second', async () => {
    const references: string[] = [];
    for (let made = 0; made < TIMED; made += 1) {
      references.push(await changes.create());
    }
    expect(await readRows(person)).toEqual([]);
    await person.press(`Show ${TIMED} new`);
    await showStored(person, stage.server.url);
    for (const reference of references) {
      await changes.pay(reference);
    }
    await showStored(person, stage.server.url);
    const { at } = await readSeen(person);
    const ofRows = [...changes.answered].filter(([name]) => !name.endsWith('Pending'));
    const tookMs = ofRows.flatMap(([name, when]) => (at[name] === undefined ? [] : at[name] - when));
    print('From the answer to the row', tookMs);
    expect(tookMs.length).toBeGreaterThanOrEqual(TIMED);
    expect(percentile(tookMs, 0.5)).toBeLessThan(1_000 * paceOf());
  });

  test('holds everything while it is paused, and takes it afterwards', async () => {
    // A row shows its request as it is now, so it can look right before the page has the last event about it.
    await untilCaughtUp();
    await person.press('Pause');
    const before = await readRows(person);
    await changes.pay(await changes.create());
    await untilCaughtUp();
    await person.shows('3 changes waiting');
    expect(await readRows(person)).toEqual(before);
    await person.press('Resume');
    await person.press('Show 1 new');
    await showStored(person, stage.server.url);
  });

  test(
    'is the store at the end, with each change once, over restarts of the server',
    async () => {
      const shownAfterMs: number[] = [];
      for (let restarts = 0; restarts < RESTARTS; restarts += 1) {
        const events = await countEvents();
        // Some for each restart: a page that is slow to resume must not find all changes made.
        const making = changes.make(CHANGES / RESTARTS, PER_SECOND);
        await until('some changes', async () => (await countEvents()) - events > CHANGES / RESTARTS / 3);
        const killed = Date.now();
        await stage.server.kill(signal, 'all');
        await person.page.until(`document.querySelector('[data-state=resuming]')`);
        shownAfterMs.push(Date.now() - killed);
        await stage.server.restart('all');
        await isLive();
        await making;
      }
      await untilCaughtUp();
      await showStored(person, stage.server.url);
      const got = cursors();
      const stored = await countEvents();
      expect({ got: got.length, different: new Set(got).size }).toEqual({ got: stored, different: stored });
      expect(stored).toBe(changes.answered.size);
      expect((await readSeen(person)).twice).toEqual([]);
      print('From the kill to the words "Connection lost"', shownAfterMs);
    },
    TIMEOUT_MS,
  );

  test('does not call itself live while the database is away, though its stream stays open', async () => {
    const away = { status: 503, headers: { 'content-type': 'application/json' }, body: '{"errors":[]}' };
    await person.page.intercept('*/console/session', away);
    await person.page.until(`document.querySelector('[data-state=resuming]')`);
    await person.page.intercept('*/console/session', undefined);
    await isLive();
  });

  test('has its filters in the address: reload and back show the same', async () => {
    await changes.create();
    await person.open('/money-requests?status=PENDING');
    await isLive();
    await person.page.until(`document.querySelectorAll('tr[data-key]').length === 1`);
    const rows = await readRows(person);
    await person.press('Users');
    await person.page.until(`location.pathname === '/console/users'`);
    await person.page.evaluate('history.back()');
    await person.page.until(
      `location.search === '?status=PENDING' && document.querySelector('tr[data-key]')`,
    );
    expect(await readRows(person)).toEqual(rows);
    await person.page.evaluate('window.isFormer = true; location.reload()');
    await person.page.until(`!window.isFormer && document.querySelector('tr[data-key]')`);
    expect(await readRows(person)).toEqual(rows);
    await person.press(/^All\b/);
    await person.page.until(`location.search === '' && document.querySelectorAll('tr[data-key]').length > 1`);
    expect(person.page.problems).toEqual([]);
  });

  test('shows on an open page a failed attempt with a retry ahead, which no event reports', async () => {
    const opened = new EventEmitter();
    const attemptWhileOpen = async (addressOf: (reference: string, deliveryId: string) => string) => {
      const reference = newReference();
      const held = once(opened, 'opened').then(() => 503);
      stage.deployment.receiver.answer(() => held);
      expect((await createMoneyRequest(stage.exchange, moneyRequestBody(reference))).status).toBe(201);
      const { nodes } = await listDeliveries(stage.exchange, { first: 1 });
      await person.open(addressOf(reference, nodes[0]?.id ?? ''));
      await person.shows('operation_created');
      opened.emit('opened');
    };
    await attemptWhileOpen((reference) => `/money-requests/${reference}?tab=webhooks`);
    await person.shows('The webhook was answered with 503.');
    await attemptWhileOpen((_reference, id) => `/webhooks/${id}`);
    await person.shows(/Attempt 1 .* 503 /);
    await person.shows('Pending');
  });
});
