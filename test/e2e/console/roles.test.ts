/** @only-in-full */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLeases, type Lease, type Leases } from '../../../subgraphs/runtime/leases/leases.ts';
import { fillStage, STAGE_ENV, type Stage } from '../../console/stage.ts';
import { openBrowser } from '../../support/browser.ts';
import { type ConsolePage, useConsole } from '../../support/console-page.ts';
import { makeLink } from '../../support/console-session.ts';
import { chromium, describeInBrowser } from '../../support/console-stage.ts';
import { untilLogged } from '../../support/logged-acts.ts';
import { queryGraph } from '../../support/money-requests.ts';
import { useScene } from '../../support/scene.ts';
import { KEYS } from '../../support/seed.ts';

/** Each access has everything of the ones before it. */
const ACCESSES = ['READ', 'SUPPORT', 'OPERATE', 'ADMIN'] as const;
type Access = (typeof ACCESSES)[number];
/** Names of roles as the page has them. */
const ROLES: Readonly<Record<Access, string>> = {
  READ: 'viewer',
  SUPPORT: 'support',
  OPERATE: 'operator',
  ADMIN: 'admin',
};

interface Act {
  readonly name: string;
  /** The lowest access that may do it. */
  readonly needs: Access;
  /** The lowest access that sees it at all; by default each. */
  readonly shownFrom?: Access;
  /** Text of the button; null for acts that are not one button. By default the name. */
  readonly button?: string | null;
}

/** Every act that a screen offers, or names with the role that it needs. */
const SCREENS: readonly (readonly [
  screen: string,
  pathIn: (stage: Stage) => string,
  acts: readonly Act[],
])[] = [
  [
    'the overview',
    () => '/',
    [{ name: 'Set the clock ahead and reset', needs: 'ADMIN', button: 'Reset the sandbox' }],
  ],
  [
    'a money request',
    ({ ids }) => `/money-requests/${ids.unanswered}`,
    [
      { name: 'Cancel the request', needs: 'OPERATE' },
      { name: 'Simulate', needs: 'OPERATE' },
    ],
  ],
  [
    'a user',
    ({ ids }) => `/users/${ids.user}`,
    [
      { name: 'Block', needs: 'OPERATE' },
      { name: 'Erase personal data', needs: 'ADMIN', button: 'Erase personal data…' },
      { name: 'Show contact data', needs: 'SUPPORT' },
      { name: 'Simulate', needs: 'OPERATE' },
    ],
  ],
  ['a link', ({ ids }) => `/links/${ids.link}`, [{ name: 'Revoke', needs: 'OPERATE' }]],
  [
    'a webhook',
    ({ ids }) => `/webhooks/${ids.deadLetter}`,
    [
      { name: 'Send again', needs: 'SUPPORT' },
      { name: 'Body', needs: 'SUPPORT', button: null },
      { name: 'Answer', needs: 'SUPPORT', button: null },
    ],
  ],
  [
    'webhooks, while a replay runs',
    () => '/webhooks',
    [
      { name: 'Send matching webhooks again', needs: 'SUPPORT' },
      { name: 'Stop', needs: 'SUPPORT' },
    ],
  ],
  [
    'endpoints',
    () => '/endpoints',
    [
      { name: 'Add an endpoint', needs: 'OPERATE' },
      { name: 'Change and test endpoints', needs: 'OPERATE', button: 'Send a test webhook' },
      // Of the first endpoint. The operator has the button of the other one.
      { name: 'Edit', needs: 'ADMIN', shownFrom: 'OPERATE', button: null },
      { name: 'Replace the secret', needs: 'ADMIN', shownFrom: 'OPERATE' },
      { name: 'Send missed webhooks to this URL', needs: 'SUPPORT' },
    ],
  ],
  ['keys', () => '/keys', [{ name: 'Create a key', needs: 'ADMIN' }]],
];

const REPLAY = `mutation {
  replayWebhookDeliveries(input: {}) { webhookReplay { id state } userErrors { code } }
}`;
const STATE = '{ webhookReplays { id state } }';
interface Replays {
  readonly webhookReplays: readonly { readonly id: string; readonly state: string }[];
}

const LEASE = 'webhooks.replay';
const LEASE_MS = 30_000;

const scene = useScene();

describeInBrowser('The screens of the console', () => {
  let stage: Stage;
  let person: ConsolePage;
  let leases: Leases;
  let lease: Lease | null;

  beforeAll(async () => {
    const deployment = await scene.deploy({ env: { ...STAGE_ENV, WEBHOOK_BREAKER: 'false' } });
    stage = await fillStage(deployment);
    const browser = await openBrowser(chromium ?? '');
    scene.atEnd(() => browser.close());
    person = useConsole(browser.page, stage.url);
    // Another process has the work of replays, and does none of it: the replay runs on.
    leases = createLeases({ connection: await deployment.database() });
    lease = await leases.acquire(LEASE, LEASE_MS);
    expect(lease).not.toBeNull();
    const { data } = await queryGraph(stage.exchange, REPLAY);
    expect(data).toMatchObject({
      replayWebhookDeliveries: { webhookReplay: { state: 'RUNNING' }, userErrors: [] },
    });
  });
  afterAll(async () => {
    if (lease) {
      await leases.release(lease);
    }
  });

  const signIn = async (access: Access) => {
    lease = lease && (await leases.renew(lease, LEASE_MS));
    const { code } = await makeLink(stage.exchange, KEYS.acme, { access, label: ROLES[access] });
    await person.signInBy(code);
  };
  /** The texts of all elements of a kind that the page shows, each once. */
  const textsOf = async (selector: string): Promise<string[]> => {
    const texts = await person.page.evaluate<
      string[]
    >(`[...document.querySelectorAll(${JSON.stringify(selector)})]
      .filter((one) => one.checkVisibility()).map((one) => one.innerText.trim())`);
    return [...new Set(texts)].toSorted();
  };

  test.each(ACCESSES)(
    'name for a session with the access %s each act that it lacks, with its role',
    async (access) => {
      await signIn(access);
      const isAtLeast = (needed: Access) => ACCESSES.indexOf(access) >= ACCESSES.indexOf(needed);
      for (const [screen, pathIn, acts] of SCREENS) {
        await person.open(pathIn(stage));
        await person.page.until(
          `!document.querySelector('.skeleton') && document.querySelector('main .lacks, main button')`,
        );
        const shown = acts.filter(({ shownFrom = 'READ' }) => isAtLeast(shownFrom));
        const lacking = shown.filter(({ needs }) => !isAtLeast(needs));
        const expected = lacking.map(({ name, needs }) => `${name}: needs the role ${ROLES[needs]}.`);
        if (expected.length > 0) {
          await person.shows(expected.at(-1) ?? '');
        }
        const buttons = acts.flatMap(({ name, button = name, needs }) =>
          button !== null ? [{ button, isOffered: isAtLeast(needs) }] : [],
        );
        for (const { button } of buttons.filter(({ isOffered }) => isOffered)) {
          await person.page.until(
            `[...document.querySelectorAll('main button')].some((one) => one.innerText.trim() === ${JSON.stringify(button)})`,
          );
        }
        const found = await textsOf('main button');
        expect([screen, await textsOf('main .lacks')]).toEqual([screen, expected.toSorted()]);
        expect([
          screen,
          buttons.filter(({ button }) => found.includes(button)).map(({ button }) => button),
        ]).toEqual([screen, buttons.filter(({ isOffered }) => isOffered).map(({ button }) => button)]);
      }
    },
  );

  test('let the role support stop the replay that runs', async () => {
    await signIn('SUPPORT');
    await person.open('/webhooks');
    await person.showsStatus('busy', 'Running');
    await person.press('Stop');
    await person.shows('Those that were already sent again are not affected.');
    await person.pressInDialog('Stop');
    await person.page.until(`!document.querySelector('dialog')`);
    await person.page.until(
      `![...document.querySelectorAll('main button')].some((one) => one.innerText.trim() === 'Stop')`,
    );
    await person.shows('Stopped');
    const { data } = await queryGraph<Replays>(stage.exchange, STATE);
    expect(data?.webhookReplays.map(({ state }) => state)).toEqual(['STOPPED']);
    await signIn('ADMIN');
    await untilLogged(person, { ConsoleStopReplay: ROLES.SUPPORT });
  });

  test('do nothing that is forbidden', () => {
    expect(person.page.problems).toEqual([]);
  });
});
