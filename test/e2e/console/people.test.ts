import { beforeAll, expect, test } from '@jest/globals';
import { paceOf } from '../../runner/pace.ts';
import type { ConsolePage } from '../../support/console-page.ts';
import { type ConsoleStage, describeInBrowser, openConsoleStage } from '../../support/console-stage.ts';
import { type IdName, type Ids, newPhone, newWord } from '../../support/isolation/ids.ts';
import { CASH, callerOf, fillTenant, personOf } from '../../support/isolation/tenant-data.ts';
import {
  createMoneyRequest,
  moneyRequestBody,
  newReference,
  queryGraph,
} from '../../support/money-requests.ts';
import { useScene } from '../../support/scene.ts';
import { KEYS } from '../../support/seed.ts';
import { takeTime } from '../../support/ticks.ts';
import { until } from '../../support/until.ts';

const ACME = { accountId: 'acme/sandbox' as const, key: KEYS.acme };

const scene = useScene();

describeInBrowser('In the console, a support agent', () => {
  let stage: ConsoleStage;
  let person: ConsolePage;
  let ids: Ids;
  beforeAll(async () => {
    // A call that fails once waits for good.
    const env = { PIPELINE_SWEEP_SECONDS: '1', PIPELINE_RETRY_SECONDS: '600', WEBHOOK_MAX_ATTEMPTS: '1' };
    stage = await openConsoleStage(scene, { env });
    person = stage.person;
    ids = (await fillTenant(ACME, stage.exchange)).ids;
    await person.signIn(KEYS.acme);
  });

  const own = (name: IdName) => String(ids.get(name));
  const rowsOf = (section: string) =>
    person.page.evaluate<string[]>(
      `[...document.querySelectorAll('section[aria-label="${section}"] tbody tr')].map((one) => one.innerText)`,
    );

  /** An atomic call whose identity provider is away: its payer is no contact yet. */
  async function callThatWaits(
    names: object = {},
  ): Promise<{ correlationId: string; payer: string; phone: string }> {
    const waiting = { correlationId: newWord(), payer: newPhone(), phone: newPhone() };
    const requester = {
      ...personOf(() => 'Ana'),
      lastName: 'VALIDATORDOWN',
      phoneNumber: waiting.phone,
      ...names,
    };
    const requestTo = { phoneNumber: waiting.payer, firstName: 'Bob', lastName: 'Roe', countryCode: 'US' };
    const sum = { recipientCurrency: 'MXN', recipientAmount: 30.1, destinationPaymentMethod: CASH };
    const request = { ...sum, correlationId: waiting.correlationId, requestTo };
    const call = callerOf(ACME, stage.exchange);
    await call('POST', '/v1/user/operations/request-money-full', { requester, request });
    return waiting;
  }

  test("comes from a payer's phone number to the cause of the stuck payment by one search, in 10 s", async () => {
    const { correlationId, payer } = await callThatWaits();
    const [, seconds] = await takeTime(async () => {
      await person.search(`00${payer.slice(1)}`);
      await person.page.until(`location.pathname === '/console/atomic-calls/${correlationId}'`);
      await person.page.until(
        `/provider cannot be reached.*tries again/.test(document.querySelector('.verdict')?.innerText)`,
      );
    });
    expect(seconds).toBeLessThan(10 * paceOf());
    await person.shows(correlationId);
    const heading = await person.page.evaluate<string>(`document.querySelector('h1').innerText`);
    expect(heading).toMatch(new RegExp(`30\\.10\\s+Atomic call ${correlationId}$`));
    await person.open('/atomic-calls?status=IN_PROGRESS');
    await person.page.until(`[...document.querySelectorAll('tbody tr')].some(({ innerText }) =>
      innerText.includes('${correlationId}') && /VALIDATORDOWN.*30\\.10/s.test(innerText))`);
  });

  test("sees the payments of a payer in the results, and opens one: two actions from the customer's number", async () => {
    const digits = own('contactPhone').slice(2);
    await person.search(`(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`);
    await person.page.until(`document.querySelectorAll('.results a').length === 2`);
    const results = await person.page.evaluate<string[]>(
      `[...document.querySelectorAll('.results li')].map((one) => one.innerText)`,
    );
    expect(results.filter((line) => /^Operation\s/.test(line))).toEqual([
      expect.stringMatching(/Sent.*40\.20/s),
    ]);
    expect(results.filter((line) => /^Contact\s/.test(line))).toHaveLength(1);
    await person.page.click(
      `[...document.querySelectorAll('.results a')].find((one) => one.href.includes('/operations/'))`,
    );
    await person.page.until(`location.pathname === '/console/operations/${own('correlationId')}'`);
    await person.page.until(`['Payer', 'Payout'].every((label) =>
      [...document.querySelectorAll('main dt')].some(({ innerText }) => innerText === label))`);
  });

  test("comes from a requester's phone number to all payments of the user, with sums", async () => {
    const { correlationId, phone } = await callThatWaits();
    await person.search(phone);
    await person.page.until(`document.querySelector('section[aria-label="Payments"] tbody tr')`);
    expect(await rowsOf('Payments')).toEqual([expect.stringMatching(/Atomic call.*In progress.*30\.10/s)]);
    const facts = await person.page.evaluate<string>(
      `document.querySelector('section[aria-label="Payments"] dl').innerText`,
    );
    expect(facts).toMatch(/MXN\s+1 payment · .*30\.10 \(0 completed/);
    expect(facts).toContain('Last activity');
    const verdict = await person.page.evaluate<string>(
      `document.querySelector('section[aria-label="Payments"] .sentence').innerText`,
    );
    await person.press(correlationId);
    await person.page.until(`location.pathname === '/console/atomic-calls/${correlationId}'`);
    const [beginning = ''] = verdict.split(':');
    expect(beginning).toMatch(/\w/);
    await person.page.until(
      `document.querySelector('.verdict p')?.innerText.trim().startsWith(${JSON.stringify(beginning)})`,
    );
  });

  test('keeps the found record in the address while paging through the payments of the user', async () => {
    const query = `query ($id: ID!) { user(id: $id) { payments(first: 1) { pageInfo { endCursor } } } }`;
    const { data } = await queryGraph<{ user: { payments: { pageInfo: { endCursor: string } } } }>(
      stage.exchange,
      query,
      { id: own('userId') },
    );
    await person.search(own('contactPhone'));
    await person.page.until(`document.querySelector('.results a[href*="found="]')`);
    const found = await person.page.evaluate<string>(
      `document.querySelector('.results a[href*="found="]').getAttribute('href')`,
    );
    const after = encodeURIComponent(String(data?.user.payments.pageInfo.endCursor));
    await person.open(`${found.replace('/console', '')}&after=${after}`);
    await person.press('Newest');
    await person.page.until(`location.pathname + location.search === ${JSON.stringify(found)}`);
    await person.page.until(`document.querySelector('tr mark')`);
  });

  test('leaves neither a searched text nor a name in the title, which the browser keeps', async () => {
    const name = newWord();
    await person.search(name);
    await person.shows(`Results for “${name}”`);
    await person.page.until(`document.title === 'Search · remitgraph'`);
    const first = newWord();
    await callThatWaits({ firstName: first });
    await person.search(first);
    await person.page.until(`document.querySelector('section[aria-label="Payments"] tbody tr')`);
    expect(await person.page.evaluate(`document.querySelector('h1').innerText`)).toContain(first);
    expect(await person.page.evaluate('document.title')).toBe('User · remitgraph');
  });

  test('finds a user by name, and reads who blocked the user and why', async () => {
    const name = `Ó${newWord()}`;
    await callThatWaits({ firstName: name });
    await person.search(name.replace('Ó', 'o').toUpperCase());
    await person.press('Block');
    await person.fill('Reason (kept for audit)', 'asked by the bank');
    await person.pressInDialog('Block');
    await person.shows('asked by the bank');
    const block = await person.page.evaluate<string>(`document.querySelector('main .verdict.bad').innerText`);
    expect(block).toMatch(/blocked since .*\d.*Blocked by\s+Ana/s);
  });

  test('comes from the id of an atomic call that was refused to its entry in the request log', async () => {
    const correlationId = `refused-${newWord()}`;
    const refused = await stage.exchange({
      method: 'POST',
      path: '/v1/user/operations/request-money-full',
      headers: { 'X-API-Key': KEYS.acme, 'content-type': 'application/json' },
      body: JSON.stringify({ request: { correlationId } }),
    });
    expect(refused.status).toBe(400);
    const query = 'query ($id: ID!) { requestLog(where: { subject: $id }) { totalCount } }';
    await until('it is in the log', async () => {
      const { data } = await queryGraph<{ requestLog: { totalCount: number } }>(stage.exchange, query, {
        id: correlationId,
      });
      return data?.requestLog.totalCount === 1;
    });
    await person.search(correlationId);
    await person.page.until(`document.querySelector('.results a[href*="/requests?subject="]')`);
    await person.page.click(`document.querySelector('.results a[href*="/requests?subject="]')`);
    await person.page.until(
      `location.pathname === '/console/requests' && document.querySelectorAll('tbody tr').length === 1`,
    );
    await person.shows('request-money-full');
    // The key that made the call, by its label.
    const by = await person.page.evaluate<string>(
      `[...document.querySelectorAll('tbody td')].find((cell) => cell.querySelector('[title^="key_"]')).innerText`,
    );
    expect(by).toMatch(/\bdemo$/);
  });

  test('reads why a create was refused, by its reference and on the screen of its user', async () => {
    const userReferenceId = `u-${newWord()}`;
    const create = async (referenceId: string, lastName: string) => {
      const { requestData } = moneyRequestBody(referenceId);
      const named = { ...requestData, userReferenceId, name: { firstName: 'Ana', lastName } };
      const body = moneyRequestBody(referenceId, { requestData: named });
      return (await createMoneyRequest(stage.exchange, body)).status;
    };
    const referenceId = newReference();
    expect([await create(newReference(), 'Ruiz'), await create(referenceId, 'OFACHIT')]).toEqual([201, 403]);
    await until('it is in the log', async () => {
      const { data } = await queryGraph<{ failedCalls: readonly object[] }>(
        stage.exchange,
        'query ($id: String!) { failedCalls(reference: $id) { id } }',
        { id: referenceId },
      );
      return data?.failedCalls.length === 1;
    });
    const refusal =
      /Refused request.*The requester is on a watch list\. OFAC_HIT Contact the support of the platform\. Do not request the money again\./s;
    await person.search(referenceId);
    await person.shows(refusal);
    await person.search(userReferenceId);
    await person.page.until(`document.querySelector('.results a[href*="/users/"]')`);
    await person.page.click(`document.querySelector('.results a[href*="/users/"]')`);
    await person.shows(refusal);
  });

  test('sees in the list of atomic calls the state of a payment, also when it changes', async () => {
    const id = own('atomicId');
    await person.open('/atomic-calls');
    await person.page.until(`document.querySelector('[data-state=live]')`);
    const status = `document.querySelector('tr[data-key="${id}"] .status')?.innerText.trim()`;
    await person.page.until(`${status} === 'Sent'`);
    const change = `mutation { simulateOperationStatus(input: { operationId: "${id}", status: ON_HOLD }) { userErrors { code } } }`;
    expect((await queryGraph(stage.exchange, change)).data).toEqual({
      simulateOperationStatus: { userErrors: [] },
    });
    await person.page.until(`${status} === 'On hold'`);
  });

  test('reads on the screen of a link which data an identity check lacks, in words', async () => {
    const made = 'mutation { createLink(input: { flow: CIP, referenceId: "u-lacking" }) { link { id } } }';
    const { data } = await queryGraph<{ createLink: { link: { id: string } } }>(stage.exchange, made);
    await person.open(`/links/${data?.createLink.link.id}`);
    await person.shows(/Missing: .*type of identity document, number of the identity document/);
    expect(await person.text()).not.toContain('idType');
  });

  test('causes no problem in the page', () => {
    expect(person.page.problems).toEqual([]);
  });
});
