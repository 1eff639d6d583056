/** @only-in-full */
import { beforeAll, expect, test } from '@jest/globals';
import type { ConsolePage } from '../../support/console-page.ts';
import { makeLink } from '../../support/console-session.ts';
import { type ConsoleStage, describeInBrowser, openConsoleStage } from '../../support/console-stage.ts';
import { untilLogged } from '../../support/logged-acts.ts';
import { queryGraph } from '../../support/money-requests.ts';
import { useScene } from '../../support/scene.ts';

const KEY = 'raas_sandbox_wary_full_0001';
const WARY = {
  ...{ tenantId: 'wary', name: 'Wary Pay', fourEyes: ['CREATE_KEY'] },
  apiKeys: [{ key: KEY, scopes: ['partner', 'partner_full', 'partner_admin'], label: 'server' }],
};

const scene = useScene();

describeInBrowser('Where a partner asks for four eyes, the console', () => {
  let stage: ConsoleStage;
  let person: ConsolePage;
  beforeAll(async () => {
    stage = await openConsoleStage(scene, { tenants: [WARY] });
    person = stage.person;
  });
  const enter = async (label: string) =>
    person.signInBy((await makeLink(stage.exchange, KEY, { access: 'ADMIN', label })).code);
  const ask = async (label: string) => {
    await person.open('/keys');
    await person.press('Create a key');
    await person.fill('Label', label);
    await person.pressInDialog('Create a key');
    await person.shows('An administrator who is another person must approve this until');
  };

  test('stores a request for a key, shows it as open, and has another person approve it', async () => {
    await enter('Ana');
    await ask('reports');
    await person.press('See approvals');
    await person.shows('Create an API key');
    await person.shows('Withdraw');
    expect(await person.text()).not.toMatch(/^Approve$/m);
    await enter('Bea');
    await person.open('/');
    await person.shows(/Approvals\s*1 open/);
    await person.press(/^Approvals/);
    await person.shows('reports');
    await person.press('Approve');
    await person.shows('You approve a change that Ana asked for.');
    await person.pressInDialog('Approve');
    await person.shows('New key or secret (shown only once, only to you):');
    const key = await person.page.evaluate<string>(`document.querySelector('.secret').textContent`);
    expect((await queryGraph(stage.exchange, '{ me { id } }', {}, key)).data).toEqual({ me: { id: 'wary' } });
    await person.pressInDialog('Close');
    await person.showsStatus('good', 'Approved');
    await untilLogged(person, { ConsoleCreateKey: 'Ana', ConsoleApprove: 'Bea' });
  });

  test('lets the person who asked withdraw a request', async () => {
    await enter('Ana');
    await ask('mistake');
    await person.press('See approvals');
    await person.press('Withdraw');
    await person.pressInDialog('Withdraw');
    await person.shows('Rejected');
  });

  test('does nothing that is forbidden', () => {
    expect(person.page.problems).toEqual([]);
  });
});
