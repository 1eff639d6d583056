/** @only-in-full */
import { beforeAll, expect, test } from '@jest/globals';
import type { ConsolePage } from '../../support/console-page.ts';
import { type ConsoleStage, describeInBrowser, openConsoleStage } from '../../support/console-stage.ts';
import type { IdName } from '../../support/isolation/ids.ts';
import { fillTenant, type TenantData } from '../../support/isolation/tenant-data.ts';
import { useScene } from '../../support/scene.ts';
import { INTERNAL_KEY, KEYS } from '../../support/seed.ts';
import { until } from '../../support/until.ts';

/** Screens of one record, and the ids that open them. */
const RECORDS: readonly (readonly [folder: string, id: IdName])[] = [
  ['operations', 'operationId'],
  ['money-requests', 'referenceId'],
  ['atomic-calls', 'atomicId'],
  ['atomic-calls', 'failedId'],
  ['webhooks', 'deliveryId'],
  ['users', 'userId'],
  ['users', 'linkUserId'],
  ['links', 'linkId'],
];
/** Lists with filters that take an id. */
const FILTERED: readonly (readonly [folder: string, filter: string, id: IdName])[] = [
  ['money-requests', 'referenceId', 'referenceId'],
  ['money-requests', 'userReferenceId', 'userReferenceId'],
  ['users', 'referenceId', 'userReferenceId'],
  ['links', 'referenceId', 'userReferenceId'],
  ['requests', 'subject', 'operationId'],
];
const LISTS = ['', 'operations', 'money-requests', 'atomic-calls', 'webhooks', 'endpoints', 'users', 'links'];
const ADMIN_LISTS = ['requests', 'keys', 'sessions', 'approvals'];
/** Personal data: hidden until somebody asks for it. */
const PERSONAL: readonly IdName[] = ['phoneNumber', 'email', 'atomicPhone', 'atomicEmail', 'contactPhone'];
/** Buttons that change nothing on the server. */
const HARMLESS = [
  'Apply',
  'CSV',
  'Check a signature',
  'Clear filters',
  'Copy',
  'Copy as curl',
  'Pause',
  'Search',
  'Show contact data',
  'Try again',
];

const scene = useScene();

describeInBrowser('The console', () => {
  let stage: ConsoleStage;
  let person: ConsolePage;
  let theirs: TenantData;
  let mine: TenantData;
  /** Whatever must stand in no address, in nothing that the browser keeps, and in no line of a log. */
  const secrets: string[] = [INTERNAL_KEY, ...Object.values(KEYS)];
  beforeAll(async () => {
    stage = await openConsoleStage(scene, { env: { PIPELINE_SWEEP_SECONDS: '1', LOG_LEVEL: 'debug' } });
    person = stage.person;
    const fill = (tenantId: 'acme' | 'soylent') =>
      fillTenant({ accountId: `${tenantId}/sandbox`, key: KEYS[tenantId] }, stage.exchange);
    [theirs, mine] = await Promise.all([fill('acme'), fill('soylent')]);
    secrets.push(...PERSONAL.flatMap((name) => [String(theirs.ids.get(name)), String(mine.ids.get(name))]));
  });

  /** Opens an address, and gives what its screen shows once nothing is being read. */
  async function read(path: string): Promise<string> {
    await person.open(path);
    await person.page.until(`!document.querySelector('.skeleton')`);
    return person.page.evaluate<string>(`document.querySelector('main').innerText`);
  }
  const signIn = async (access: 'READ' | 'ADMIN') => {
    secrets.push(await person.signIn(KEYS.soylent, access));
    secrets.push(...(await person.page.cookies()).map(({ value }) => value));
  };
  const idOf = ({ ids }: TenantData, name: IdName) => encodeURIComponent(String(ids.get(name)));

  test("shows nothing of another partner's, and contact data of nobody, on any screen", async () => {
    await signIn('ADMIN');
    const words = [...theirs.ids.values(), ...theirs.secrets].filter((word) => word.length > 4);
    const contacts = PERSONAL.map((name) => String(mine.ids.get(name)));
    const leaks: string[] = [];
    const look = async (path: string) => {
      const text = await read(path);
      leaks.push(
        ...[...words, ...contacts]
          .filter((word) => text.includes(word))
          .map((word) => `${path} shows ${word}`),
      );
      return text;
    };
    for (const [folder, name] of RECORDS) {
      expect(await look(`/${folder}/${idOf(theirs, name)}`)).toContain('This record does not exist');
      expect(await look(`/${folder}/${idOf(mine, name)}`)).not.toContain('This record does not exist');
    }
    for (const [folder, filter, name] of FILTERED) {
      expect(await look(`/${folder}?${filter}=${idOf(theirs, name)}`)).toContain(
        'Nothing matches these filters',
      );
    }
    for (const list of [...LISTS, ...ADMIN_LISTS]) {
      await look(`/${list}`);
    }
    for (const word of theirs.ids.values()) {
      await person.search(word);
      await person.shows(`Results for “${word}”`);
      await person.shows('No record has exactly this id');
    }
    expect(leaks).toEqual([]);
  });

  test("follows nothing of another partner's", async () => {
    await read('/users');
    await person.open('/operations');
    await person.page.until(`document.querySelector('[data-state=live]')`);
    const before = person.page.messages.length;
    const more = await fillTenant({ accountId: 'acme/sandbox', key: KEYS.acme }, stage.exchange);
    await fillTenant({ accountId: 'soylent/sandbox', key: KEYS.soylent }, stage.exchange);
    await until('an own event', () =>
      person.page.messages.slice(before).join().includes('operationStatusChanged'),
    );
    const came = person.page.messages.join();
    expect([...more.ids.values(), ...more.secrets].filter((word) => came.includes(word))).toEqual([]);
  });

  test('offers a read-only session no button that changes anything, and the server forbids it', async () => {
    await signIn('READ');
    const buttons = new Set<string>();
    const records = RECORDS.map(([folder, name]) => `/${folder}/${idOf(mine, name)}`);
    for (const path of [...records, ...[...LISTS, ...ADMIN_LISTS].map((list) => `/${list}`)]) {
      await read(path);
      const found = await person.page.evaluate<string[]>(
        `[...document.querySelectorAll('main button, header.top search button')]
          .filter((one) => one.checkVisibility()).map((one) => one.innerText.trim())`,
      );
      for (const button of found) {
        buttons.add(button);
      }
    }
    expect([...buttons].filter((button) => !HARMLESS.includes(button))).toEqual([]);
    const query = 'mutation { createApiKey(input: { scopes: ["partner"] }) { key } }';
    const code = await person.page.evaluate<string>(`fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-remitgraph-console': '1' },
      body: ${JSON.stringify(JSON.stringify({ query }))},
    }).then((response) => response.json()).then(({ errors }) => errors[0].extensions.code)`);
    expect(code).toBe('FORBIDDEN');
  });

  test('keeps in the browser only a cookie that no script reads, and what the reader has set', async () => {
    await person.press('Settings');
    await person.page.evaluate(`(() => {
      const zone = document.querySelector('#zone');
      zone.value = 'utc';
      zone.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
    const kept = await person.page.evaluate<object>(
      `({ cookie: document.cookie, local: { ...localStorage }, session: { ...sessionStorage }, state: history.state })`,
    );
    expect(kept).toEqual({
      cookie: '',
      local: { 'console.language': 'en', 'console.theme': 'auto', 'console.zone': 'utc' },
      session: {},
      state: null,
    });
    const cookies = await person.page.cookies();
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict' }]);
  });

  test('leaves no key, code, cookie, phone number or email in an address or in a log', async () => {
    await signIn('ADMIN');
    await person.search(String(mine.ids.get('phoneNumber')));
    await person.press('Show contact data');
    await person.shows(String(mine.ids.get('email')));
    const addresses = [...person.page.requests, ...(await person.page.history())];
    const written = [...addresses, stage.server.output()].map((text) => decodeURIComponent(text));
    expect(secrets.length).toBeGreaterThan(20);
    expect(secrets.filter((secret) => written.some((text) => text.includes(secret)))).toEqual([]);
    const { host } = new URL(stage.server.url);
    const elsewhere = person.page.requests.filter(
      (url) => /^\w+:\/\//.test(url) && new URL(url).host !== host,
    );
    expect({ elsewhere, problems: person.page.problems }).toEqual({ elsewhere: [], problems: [] });
  });
});
