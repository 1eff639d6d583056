/** @only-in-full */
import { beforeAll, expect, test } from '@jest/globals';
import type { ConsolePage } from '../../support/console-page.ts';
import { type ConsoleStage, describeInBrowser, openConsoleStage } from '../../support/console-stage.ts';
import { untilLogged } from '../../support/logged-acts.ts';
import {
  createMoneyRequest,
  moneyRequestBody,
  newReference,
  queryGraph,
} from '../../support/money-requests.ts';
import { makeCode } from '../../support/platform-link.ts';
import { useScene } from '../../support/scene.ts';
import { KEYS } from '../../support/seed.ts';
import { until } from '../../support/until.ts';

interface Made {
  readonly createLink: { readonly link: { readonly id: string; readonly user: { readonly id: string } } };
}
const LINK = `mutation ($referenceId: String!) {
  createLink(input: { flow: CIP, referenceId: $referenceId }) { link { id user { id } } }
}`;

const scene = useScene();

describeInBrowser('A session of the sandbox that may make changes', () => {
  let stage: ConsoleStage;
  let person: ConsolePage;
  beforeAll(async () => {
    stage = await openConsoleStage(scene, {});
    person = stage.person;
    await person.signIn(KEYS.acme);
  });

  const newMoneyRequest = async () => {
    const referenceId = newReference();
    expect((await createMoneyRequest(stage.exchange, moneyRequestBody(referenceId))).status).toBe(201);
    return referenceId;
  };
  const newLink = async (key: string = KEYS.acme) => {
    const variables = { referenceId: newReference() };
    const { data } = await queryGraph<Made>(stage.exchange, LINK, variables, key);
    return { linkId: String(data?.createLink.link.id), userId: String(data?.createLink.link.user.id) };
  };
  /** Opens a screen, and simulates an event there. */
  const simulate = async (screen: string, event: string) => {
    await person.open(screen);
    await person.press('Simulate');
    await person.page.until(`document.querySelector('dialog[open] select')`);
    await person.page.evaluate(`(() => {
      const events = document.querySelector('dialog[open] select');
      events.selectedIndex = [...events.options].findIndex(({ text }) => text === ${JSON.stringify(event)});
      events.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
    await person.pressInDialog('Simulate');
    await person.page.until(`!document.querySelector('dialog[open]')`);
  };

  /** Opens the request log of a record, again until it has an entry: it is written a moment after its call. */
  const openLogOf = (id: string) =>
    until(`the log has ${id}`, async () => {
      await person.open(`/requests?subject=${id}`);
      await person.page.until(`!document.querySelector('.skeleton')`);
      return (await person.text()).includes('Copy as curl');
    });

  const valueIn = (label: string) =>
    `[...document.querySelectorAll('dialog label')].find((one) => one.innerText.trim() === '${label}').control.value`;

  test.each([
    ['The payer pays', 'COMPLETED', 'Funded', 'Completed'],
    ['The payment fails', 'REJECTED', 'PaymentFailed', 'Payment failed'],
    ['The request expires', 'CANCELLED', 'Expired', 'Expired'],
  ])('simulates for a money request: %s', async (event, status, statusDetails, shown) => {
    const referenceId = await newMoneyRequest();
    await simulate(`/money-requests/${referenceId}`, event);
    await person.shows(shown);
    await person.page.until(`!document.body.innerText.includes('Simulate')`);
    const question = `{ requestMoney(referenceId: "${referenceId}") { status statusDetails } }`;
    expect((await queryGraph(stage.exchange, question)).data).toEqual({
      requestMoney: { status, statusDetails },
    });
  });

  test('simulates the moves of an operation', async () => {
    const referenceId = await newMoneyRequest();
    await simulate(`/money-requests/${referenceId}`, 'The payer begins to pay');
    await person.shows('Payer is paying');
    const question = `{ requestMoney(referenceId: "${referenceId}") { operation { id status } } }`;
    const stored = async () =>
      (
        await queryGraph<{ requestMoney: { operation: { id: string; status: string } } }>(
          stage.exchange,
          question,
        )
      ).data?.requestMoney.operation;
    await simulate(`/operations/${(await stored())?.id}`, 'The operation becomes: Funded');
    expect(await stored()).toMatchObject({ status: 'FUNDED' });
  });

  test('simulates that a user opens a link, and the result of an identity check', async () => {
    const { linkId, userId } = await newLink();
    await simulate(`/links/${linkId}`, 'The user opens the link');
    await person.shows('Opened');
    await person.page.until(`!document.body.innerText.includes('Simulate')`);
    await simulate(`/users/${userId}`, 'The identity is verified');
    await person.shows('Verified');
    const question = `{ link(id: "${linkId}") { status user { cipStatus } } }`;
    expect((await queryGraph(stage.exchange, question)).data).toEqual({
      link: { status: 'OPENED', user: { cipStatus: 'VERIFIED' } },
    });
  });

  test('sets the clock of the sandbox ahead, and a reset sets it back', async () => {
    const referenceId = await newMoneyRequest();
    await person.open('/');
    await person.shows('real time');
    await person.press('Advance the clock');
    await person.pressInDialog('Advance the clock');
    await person.shows('1d ahead');
    await person.press('Reset the sandbox');
    await person.pressInDialog('Reset the sandbox');
    await person.showsStatus('good', 'Done');
    await person.page.until(`!document.querySelector('dialog[open]')`);
    await person.shows('real time');
    const question = `{ requestMoney(referenceId: "${referenceId}") { status } sandbox { clockAheadSeconds } }`;
    expect((await queryGraph(stage.exchange, question)).data).toEqual({
      requestMoney: null,
      sandbox: { clockAheadSeconds: 0 },
    });
  });

  test('sends a create of the request log as a new request, with what the log does not keep', async () => {
    const referenceId = await newMoneyRequest();
    await openLogOf(referenceId);
    await person.press('Send as a new request');
    await person.shows(`Send as a new request: ${referenceId}`);
    await person.page.until(`${valueIn('Last name')} === 'Ruiz'`);
    expect(await person.page.evaluate(`[${['Amount', 'Currency', 'Country'].map(valueIn).join()}]`)).toEqual([
      ...['1500.5', 'MXN', 'MX'],
    ]);
    const next = await person.page.evaluate<string>(valueIn('Reference'));
    await person.fill('Amount', '77.255');
    await person.fill('State, if the route needs one', 'CDMX');
    await person.fill('Account number', '032180000118359719');
    await person.pressInDialog('Send as a new request');
    await person.shows(/This was not done\. .*decimals/);
    await person.fill('Amount', '77.25');
    await person.pressInDialog('Send as a new request');
    await person.shows(`Money request ${next}`);
    const question = `{ requestMoney(referenceId: "${next}") { amount { amount } status userReferenceId } }`;
    expect((await queryGraph(stage.exchange, question)).data).toEqual({
      requestMoney: { amount: { amount: '77.25' }, status: 'PENDING', userReferenceId: 'u-77' },
    });
    await untilLogged(person, { ConsoleCreateRequestMoney: 'Ana' });
  });

  test('keeps a value that a person enters before the values of the money request are read', async () => {
    await openLogOf(await newMoneyRequest());
    await person.page.intercept('*/graphql', 'hold');
    await person.press('Send as a new request');
    await person.fill('Amount', '12.5');
    await person.page.intercept('*/graphql', undefined);
    await person.page.until(`${valueIn('Last name')} === 'Ruiz'`);
    expect(await person.page.evaluate(valueIn('Amount'))).toBe('12.5');
  });

  test('asks for all values of a create that failed', async () => {
    const referenceId = newReference();
    const body = moneyRequestBody(referenceId, { amount: -1 });
    expect((await createMoneyRequest(stage.exchange, body)).status).toBe(422);
    await openLogOf(referenceId);
    await person.press('Send as a new request');
    await person.shows('No money request has this reference. Enter all values.');
  });

  test('differs from a session that only reads, which sees the role that simulations need', async () => {
    const referenceId = await newMoneyRequest();
    await person.signIn(KEYS.acme, 'READ');
    await person.open(`/money-requests/${referenceId}`);
    await person.shows('Waiting for the payer');
    await person.shows('Simulate: needs the role operator.');
    await person.open('/');
    await person.shows('real time');
    expect(await person.text()).not.toMatch(/Advance the clock|Reset the sandbox/);
  });

  test('differs from a live session, which has no simulations', async () => {
    const { linkId } = await newLink(KEYS.acmeLive);
    const options = ['--tenant', 'acme', '--live', '--access', 'admin', '--label', 'Ana'];
    await person.signInBy(await makeCode(stage.deployment, options));
    await person.open(`/links/${linkId}`);
    await person.shows('Revoke');
    expect(await person.text()).not.toContain('Simulate');
    await person.open('/');
    await person.shows('Failures by cause');
    expect(await person.text()).not.toContain('real time');
    const referenceId = newReference();
    const body = moneyRequestBody(referenceId, { amount: -1 });
    const refused = await createMoneyRequest(stage.exchange, body, { key: KEYS.acmeLive });
    expect(refused.status).toBe(422);
    await openLogOf(referenceId);
    expect(await person.text()).not.toContain('Send as a new request');
  });
});
