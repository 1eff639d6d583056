/** @only-in-full */
import { beforeAll, expect, test } from '@jest/globals';
import { chooseLanguage } from '../../console/visit.ts';
import type { ConsolePage } from '../../support/console-page.ts';
import { type ConsoleStage, describeInBrowser, openConsoleStage } from '../../support/console-stage.ts';
import {
  cancelMoneyRequest,
  createMoneyRequest,
  moneyRequestBody,
  newReference,
  queryGraph,
} from '../../support/money-requests.ts';
import { useScene } from '../../support/scene.ts';
import { KEYS } from '../../support/seed.ts';

const ERASE = 'Erase personal data…';
const REASON = 'Reason (kept for audit; do not name the user)';
const NAME = 'Citlalmina';

interface UserOf {
  readonly requestMoney: { readonly user: { readonly id: string } };
}

const scene = useScene();

describeInBrowser('In the console, the personal data of a user', () => {
  let stage: ConsoleStage;
  let person: ConsolePage;
  beforeAll(async () => {
    stage = await openConsoleStage(scene, {});
    person = stage.person;
  });

  /** A user with a payment that has not ended. */
  const newPayee = async () => {
    const referenceId = newReference();
    const { requestData } = moneyRequestBody(referenceId);
    const body = moneyRequestBody(referenceId, {
      requestData: {
        ...requestData,
        userReferenceId: `u-${referenceId}`,
        name: { firstName: NAME, lastName: 'Ruiz' },
      },
    });
    expect((await createMoneyRequest(stage.exchange, body)).status).toBe(201);
    const query = `{ requestMoney(referenceId: "${referenceId}") { user { id } } }`;
    const { data } = await queryGraph<UserOf>(stage.exchange, query);
    return { referenceId, userId: String(data?.requestMoney.user.id) };
  };

  test('are erased with a reason and a confirmation once no payment is open, and the page says so in both languages', async () => {
    const { referenceId, userId } = await newPayee();
    await person.signIn(KEYS.acme);
    await person.open(`/users/${userId}`);
    await person.shows(NAME);
    await person.press(ERASE);
    await person.fill(REASON, 'Request 4711');
    await person.pressInDialog('Erase');
    await person.shows('USER_HAS_OPEN_PAYMENTS');
    expect((await cancelMoneyRequest(stage.exchange, referenceId)).status).toBe(200);
    await person.pressInDialog('Erase');
    await person.shows('The personal data of this user were erased.');
    for (const text of ['Erased user', 'Erasure requested', 'Personal data erased', 'Request 4711']) {
      await person.shows(text);
    }
    const text = await person.text();
    const gone = [NAME, ERASE, 'Unblock', 'Simulate', 'Show contact data', 'null', 'undefined'];
    expect(gone.filter((one) => text.includes(one))).toEqual([]);
    await chooseLanguage(person.page, 'es');
    await person.open(`/users/${userId}`);
    await person.shows('Usuario con datos eliminados');
    await person.shows('Los datos personales de este usuario se eliminaron.');
    await chooseLanguage(person.page, 'en');
    await person.open('/users');
    await person.shows(userId);
    const query = `{ user(id: "${userId}") { erasedAt erasureReason firstName } }`;
    expect((await queryGraph(stage.exchange, query)).data).toEqual({
      user: { erasedAt: expect.any(String), erasureReason: 'Request 4711', firstName: null },
    });
    expect(person.page.problems).toEqual([]);
  });

  test('stay when the confirmation is left, or has no reason', async () => {
    const { referenceId, userId } = await newPayee();
    await cancelMoneyRequest(stage.exchange, referenceId);
    await person.signIn(KEYS.acme);
    await person.open(`/users/${userId}`);
    await person.press(ERASE);
    // The browser keeps a form whose required field is empty.
    await person.pressInDialog('Erase');
    await person.page.until(`document.activeElement?.matches(':invalid')`);
    await person.pressInDialog('Cancel');
    await person.page.until(`!document.querySelector('dialog[open]')`);
    await person.open(`/users/${userId}`);
    await person.shows(NAME);
    const query = `{ user(id: "${userId}") { erasureRequestedAt } }`;
    expect((await queryGraph(stage.exchange, query)).data).toEqual({ user: { erasureRequestedAt: null } });
  });

  test('cannot be erased in a session that only reads', async () => {
    const { userId } = await newPayee();
    await person.signIn(KEYS.acme, 'READ');
    await person.open(`/users/${userId}`);
    await person.shows(NAME);
    expect(await person.text()).toContain('Erase personal data: needs the role admin.');
    expect(await person.page.evaluate(`document.querySelector('.actions button, dialog')`)).toBeNull();
  });
});
