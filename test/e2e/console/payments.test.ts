/** @only-in-full */
import { beforeAll, expect, test } from '@jest/globals';
import { addressOf } from '../../../gateway/console/filters.ts';
import type { ConsolePage } from '../../support/console-page.ts';
import { type ConsoleStage, describeInBrowser, openConsoleStage } from '../../support/console-stage.ts';
import { type IdName, type Ids, nodeIdOf } from '../../support/isolation/ids.ts';
import { CASH, callerOf, fillTenant, personOf } from '../../support/isolation/tenant-data.ts';
import {
  createMoneyRequest,
  moneyRequestBody,
  newReference,
  queryGraph,
} from '../../support/money-requests.ts';
import { useScene } from '../../support/scene.ts';
import { KEYS } from '../../support/seed.ts';
import { until } from '../../support/until.ts';

const ACME = { accountId: 'acme/sandbox' as const, key: KEYS.acme };
/** Ids that only other records contain. */
const OTHER_IDS = `query ($operation: ID!, $link: ID!, $request: String!) {
  operation(id: $operation) { code nodeId platId }
  link(id: $link) { url }
  requestMoney(referenceId: $request) { landingLink fundRequestLink }
}`;
interface OtherIds {
  readonly operation: { readonly code: string; readonly nodeId: string; readonly platId: string };
  readonly link: { readonly url: string };
  readonly requestMoney: { readonly landingLink: string; readonly fundRequestLink: string };
}

const scene = useScene();

describeInBrowser('In the console', () => {
  let stage: ConsoleStage;
  let person: ConsolePage;
  let ids: Ids;
  let others: OtherIds;
  beforeAll(async () => {
    // A call that fails once waits for good: it is made stuck by hand.
    stage = await openConsoleStage(scene, {
      env: { PIPELINE_SWEEP_SECONDS: '1', PIPELINE_RETRY_SECONDS: '600', WEBHOOK_MAX_ATTEMPTS: '1' },
    });
    person = stage.person;
    ids = (await fillTenant(ACME, stage.exchange)).ids;
    const variables = { operation: own('operationId'), link: own('linkId'), request: own('referenceId') };
    const { data } = await queryGraph<OtherIds>(stage.exchange, OTHER_IDS, variables);
    others = data as OtherIds;
    await until('the log of requests has the call', async () => (await countFound(own('callId'))) > 0);
    await person.signIn(KEYS.acme);
  });

  const countFound = async (text: string) => {
    const query = 'query ($text: String!) { search(text: $text) { matchedBy } }';
    const found = await queryGraph<{ search: readonly unknown[] }>(stage.exchange, query, { text });
    return found.data?.search.length ?? 0;
  };
  const own = (name: IdName) => String(ids.get(name));
  const screenOf = (folder: string, name: IdName) => `/console/${folder}/${encodeURIComponent(own(name))}`;

  const rowOf = (type: string, name: IdName) =>
    addressOf(screenOf('users', 'userId'), { found: nodeIdOf(type, own(name)) });

  test.each<[string, () => string, () => string]>([
    ['an operation id', () => own('operationId'), () => screenOf('operations', 'operationId')],
    ['a correlation id', () => own('correlationId'), () => screenOf('operations', 'correlationId')],
    ['a support code', () => others.operation.code, () => screenOf('operations', 'operationId')],
    ['a platId', () => others.operation.platId, () => screenOf('operations', 'operationId')],
    ['a nodeId', () => others.operation.nodeId, () => screenOf('operations', 'operationId')],
    ['the id of a call that failed', () => own('failedId'), () => screenOf('atomic-calls', 'failedId')],
    ['a reference', () => own('referenceId'), () => screenOf('money-requests', 'referenceId')],
    [
      'the landing page',
      () => others.requestMoney.landingLink,
      () => screenOf('money-requests', 'referenceId'),
    ],
    [
      "the payer's link",
      () => others.requestMoney.fundRequestLink,
      () => screenOf('money-requests', 'referenceId'),
    ],
    ['a requestId', () => own('requestId'), () => screenOf('money-requests', 'referenceId')],
    ['an Idempotency-Key', () => own('idempotencyKey'), () => screenOf('money-requests', 'referenceId')],
    ['an x-request-id', () => own('callId'), () => screenOf('money-requests', 'referenceId')],
    ['the id of a webhook', () => own('deliveryId'), () => screenOf('webhooks', 'deliveryId')],
    ['the id of a contact', () => own('contactId'), () => rowOf('Contact', 'contactId')],
    ['the id of a payment method', () => own('cardId'), () => rowOf('PaymentMethod', 'cardId')],
    [
      'the nodeId of a contact',
      () => nodeIdOf('Contact', own('contactId')),
      () => rowOf('Contact', 'contactId'),
    ],
    ['a link id', () => own('linkId'), () => screenOf('links', 'linkId')],
    ['the URL of a link', () => others.link.url, () => screenOf('links', 'linkId')],
    ['a user id', () => own('userId'), () => screenOf('users', 'userId')],
    ['a phone number', () => own('phoneNumber'), () => screenOf('users', 'userId')],
    ['an email', () => own('email').toUpperCase(), () => screenOf('users', 'userId')],
  ])('somebody finds a payment by %s, and its screen opens', async (_kind, text, screen) => {
    await person.search(` ${text()} `);
    await person.page.until(`location.pathname + location.search === ${JSON.stringify(screen())}`);
    await person.page.until(`document.querySelector('main dl')`);
  });

  test('a contact or payment method is marked on the screen of its user, which shows no number of either', async () => {
    for (const [type, name, shown] of [
      ['Contact', 'contactId', 'Latest contacts'],
      ['PaymentMethod', 'accountId', 'Latest payment methods'],
    ] as const) {
      await person.search(own(name));
      await person.page.until(`document.querySelector('section[aria-label="${shown}"] mark')`);
      const marked = await person.page.evaluate<string[]>(
        `[...document.querySelectorAll('mark')].map((one) => one.closest('tr').dataset.key)`,
      );
      expect(marked).toEqual([nodeIdOf(type, own(name))]);
      const text = await person.page.evaluate<string>('document.body.innerText');
      const hidden = ['contactPhone', 'contactEmail', 'account'] as const;
      expect(hidden.filter((one) => text.includes(own(one)))).toEqual([]);
    }
    await person.open(`/users/${own('atomicUserId')}?found=${nodeIdOf('Contact', own('contactId'))}`);
    await person.shows('Latest contacts');
    expect(await person.page.evaluate(`document.querySelector('mark')`)).toBeNull();
  });

  test('an id of several records is listed, and each leads to its screen and back', async () => {
    await person.search(own('userReferenceId'));
    await person.page.until(`document.querySelectorAll('.results a').length === 4`);
    await person.press(own('referenceId'));
    await person.shows('Timeline');
    await person.page.evaluate('history.back()');
    await person.page.until(`document.querySelectorAll('.results a').length === 4`);
    await person.search('nothing-has-this');
    await person.shows('No record has exactly this id');
  });

  test('the same text is searched again, and finds what has come meanwhile', async () => {
    const reference = newReference();
    await person.search(reference);
    await person.shows('No record has exactly this id');
    expect((await createMoneyRequest(stage.exchange, moneyRequestBody(reference))).status).toBe(201);
    await person.search(reference);
    await person.page.until(`location.pathname === '/console/money-requests/${reference}'`);
  });

  test('the searched text stays out of the address and of its history', async () => {
    await person.search('+525500000000');
    await person.shows('No record has exactly this id');
    expect(await person.address()).toBe('/console/search');
    const history = await person.page.history();
    const secrets = [own('phoneNumber'), own('email'), others.link.url].map(encodeURIComponent);
    expect(history.filter((url) => /[+@]|%2B|%40|55000/.test(url))).toEqual([]);
    expect(history.filter((url) => secrets.some((secret) => url.includes(secret)))).toEqual([]);
  });

  test('why a call failed: the step, the cause and the next action', async () => {
    await person.open(`/atomic-calls/${own('failedId')}`);
    await person.shows('Problems');
    await person.shows('ERROR_CIP_NOT_COMPLETED');
    const [problem] = await person.page.evaluate<string[]>(
      `[...document.querySelectorAll('.problems li')].map((one) => one.innerText)`,
    );
    expect(problem).toMatch(
      /^\s*Identity check\s.*\n\s*The identity check was not passed\.\s+ERROR_CIP_NOT_COMPLETED\s/,
    );
    expect(problem).toContain(
      'The customer must complete an identity check. Then your server must send a new request with a new id.',
    );
  });

  test('why a call is stuck: from the overview, with the time of the next attempt', async () => {
    const id = `late-${own('atomicId')}`;
    await requestOfProviderThatIsAway(id);
    await person.open('/');
    await person.shows('The provider cannot be reached (sandbox).');
    await person.press(id);
    await person.shows('Problems');
    await person.shows('No action is needed: it is retried automatically.');
    const shown = await person.page.evaluate<string>(`document.querySelector('.problems').innerText`);
    expect(shown).toContain('Identity check');
    expect(shown).toContain('ERROR_INTERNAL_SERVER_ERROR');
    expect(shown).toMatch(/Next attempt: .*\d/);
  });

  test('a user is found, blocked with a reason, and may do nothing until unblocked', async () => {
    const block = `{ user(id: "${own('atomicUserId')}") { blocked blockedReason } }`;
    const stored = async () => (await queryGraph<{ user: object }>(stage.exchange, block)).data?.user;
    await person.search(own('atomicPhone'));
    await person.press('Block');
    await person.fill('Reason (kept for audit)', 'asked by the bank');
    await person.pressInDialog('Block');
    await person.shows('asked by the bank');
    await person.shows('Unblock');
    expect(await stored()).toEqual({ blocked: true, blockedReason: 'asked by the bank' });
    await person.press('Unblock');
    await person.pressInDialog('Unblock');
    await person.page.until(`!/Unblock|asked by the bank/.test(document.body.innerText)`);
    expect(await stored()).toMatchObject({ blocked: false });
  });

  test('a pending money request is cancelled with a reason, once; only a session that may change it has the button', async () => {
    const referenceId = newReference();
    const question = `{ requestMoney(referenceId: "${referenceId}") { status statusDetails } }`;
    const stored = async () => (await queryGraph<{ requestMoney: object }>(stage.exchange, question)).data;
    expect((await createMoneyRequest(stage.exchange, moneyRequestBody(referenceId))).status).toBe(201);
    await person.signIn(KEYS.acme, 'READ');
    await person.open(`/money-requests/${referenceId}`);
    await person.shows('Waiting for the payer');
    await person.shows('Cancel the request: needs the role operator.');
    await person.signIn(KEYS.acme);
    await person.open(`/money-requests/${referenceId}`);
    await person.press('Cancel the request');
    await person.pressInDialog('Keep the request');
    expect(await stored()).toEqual({ requestMoney: { status: 'PENDING', statusDetails: 'AwaitingPayment' } });
    await person.press('Cancel the request');
    await person.fill('Reason (optional, sent in webhooks)', 'returned by the buyer');
    await person.pressInDialog('Cancel the request');
    await person.shows('returned by the buyer');
    await person.page.until(`!document.body.innerText.includes('Cancel the request')`);
    const cancelled = { status: 'CANCELLED', statusDetails: 'returned by the buyer' };
    expect(await stored()).toEqual({ requestMoney: cancelled });
  });

  test('contact data is shown when somebody asks for it, not before', async () => {
    await person.open(`/users/${own('userId')}`);
    await person.shows('Contact data is hidden.');
    expect(await person.page.evaluate('document.documentElement.outerHTML')).not.toContain(own('email'));
    await person.press('Show contact data');
    await person.shows(own('email'));
    await person.shows(own('phoneNumber'));
  });

  async function requestOfProviderThatIsAway(correlationId: string): Promise<void> {
    const call = callerOf(ACME, stage.exchange);
    const requester = { ...personOf(() => 'Ana'), lastName: 'VALIDATORDOWN', phoneNumber: '+525512345678' };
    const requestTo = { phoneNumber: '+12125550123', firstName: 'Bob', lastName: 'Roe', countryCode: 'US' };
    const request = { recipientCurrency: 'MXN', recipientAmount: 30.1, correlationId, requestTo };
    const body = { requester, request: { ...request, destinationPaymentMethod: CASH } };
    await call('POST', '/v1/user/operations/request-money-full', body);
    const remittances = (await stage.deployment.database()).collection('remittances');
    await until(
      'its first attempt',
      async () => (await remittances.countDocuments({ correlationId, attempts: 1 })) === 1,
    );
    await remittances.updateOne({ correlationId }, { $set: { phaseSince: new Date(Date.now() - 60_000) } });
  }

  test('the console has forbidden nothing that it does, and has asked no other host', () => {
    expect(person.page.problems).toEqual([]);
    const { host } = new URL(stage.server.url);
    expect(
      person.page.requests.filter((url) => /^(?:https?|wss?):/.test(url) && new URL(url).host !== host),
    ).toEqual([]);
  });
});
