/** @only-in-full */
import { beforeAll, expect, test } from '@jest/globals';
import { ROOT } from '../../../gateway/console/root.ts';
import { PATHS, PLATFORM_PATHS } from '../../../gateway/console/screens/paths.ts';
import type { ConsolePage } from '../../support/console-page.ts';
import { type ConsoleStage, describeInBrowser, openConsoleStage } from '../../support/console-stage.ts';
import { fillTenant, type TenantData } from '../../support/isolation/tenant-data.ts';
import { makePlatformCode } from '../../support/platform-link.ts';
import { useScene } from '../../support/scene.ts';
import { INTERNAL_KEY, KEYS } from '../../support/seed.ts';

/** More partners than a page has. */
const FURTHER = Array.from({ length: 60 }, (_, index) => ({
  tenantId: `partner-${String(index).padStart(2, '0')}`,
  name: `Partner ${index}`,
}));
const PAGE_SIZE = 50;
const ROWS = `document.querySelectorAll('tr[data-key]').length`;
/** The name of the script that has these screens. */
const SCRIPT = '/router-';
const NO_ACCESS = 'You have no access to this page.';

const scene = useScene();

describeInBrowser('For the operators of the platform, the console', () => {
  let stage: ConsoleStage;
  let person: ConsolePage;
  let filled: TenantData;
  beforeAll(async () => {
    stage = await openConsoleStage(scene, { tenants: FURTHER, env: { PIPELINE_SWEEP_SECONDS: '1' } });
    person = stage.person;
    filled = await fillTenant({ accountId: 'acme/sandbox', key: KEYS.acme }, stage.exchange);
    await person.signInBy(await makePlatformCode(stage.deployment));
  });

  const open = (path: string) => person.open(path.slice(ROOT.length));
  const isRead = () => person.page.until(`!document.querySelector('.skeleton')`);
  const main = () => person.page.evaluate<string>(`document.querySelector('main').innerText`);
  const rowsOf = (name: string) =>
    person.page.evaluate<string[][]>(`[...document.querySelectorAll('section[aria-label="${name}"] tbody tr')]
      .map((row) => [...row.cells].map((cell) => cell.innerText.trim()))`);

  test('begins with the partners, and finds them by a part of their name, page by page', async () => {
    await person.page.until(`location.pathname === '${PLATFORM_PATHS.tenants}' && ${ROWS} === ${PAGE_SIZE}`);
    expect(person.page.requests.filter((url) => url.includes(SCRIPT))).toHaveLength(1);
    const [first] = await rowsOf('Partners');
    expect(first?.slice(0, 2)).toEqual(['Acme Pay', 'acme']);
    await person.press('Next');
    await person.page.until(`location.search.startsWith('?after=') && ${ROWS} > 0 && ${ROWS} < ${PAGE_SIZE}`);
    expect((await rowsOf('Partners')).map(([, id]) => id)).toContain('soylent');
    await person.press('First page');
    await person.page.until(`location.search === '' && ${ROWS} === ${PAGE_SIZE}`);
    await person.press('Filters');
    await person.fill('Part of the name or id', 'NER-07');
    await person.press('Apply');
    await person.page.until(`location.search === '?tenant=NER-07' && ${ROWS} === 1`);
    await open(`${PLATFORM_PATHS.tenants}?tenant=nobody`);
    await person.shows('Nothing matches these filters.');
  });

  test('shows waiting work, leases, and how far the event log is numbered', async () => {
    await open(PLATFORM_PATHS.queues);
    await person.shows('Recurring jobs');
    expect((await rowsOf('Waiting work')).map(([name]) => name)).toContain('webhooks');
    expect((await rowsOf('Recurring jobs')).length).toBeGreaterThan(0);
    await open(PLATFORM_PATHS.leases);
    await person.shows('migrations');
    await open(PLATFORM_PATHS.events);
    await person.shows('Numbered events');
    expect(Number((await main()).match(/Numbered events\s+(\d+)/)?.[1])).toBeGreaterThan(0);
    expect((await main()).match(/Partitions without a process\s+(\d+)/)?.[1]).toBe('0');
  });

  test('shows a process that starts and stops without a reload, and the settings in which it differs', async () => {
    await open(PLATFORM_PATHS.processes);
    await isRead();
    expect(await rowsOf('Processes')).toHaveLength(1);
    const second = await stage.deployment.start({ WEBHOOK_RETRY_SECONDS: '77' });
    await person.page.until(`${ROWS} === 2`);
    await open(`${PLATFORM_PATHS.settings}?differs=yes`);
    await isRead();
    const differing = await rowsOf('Configuration');
    const retry = differing.filter(([name]) => name === 'WEBHOOK_RETRY_SECONDS');
    expect(retry.map(([, value, source]) => `${value} ${source}`).toSorted()).toEqual([
      expect.stringMatching(/Default$/),
      '77 Set',
    ]);
    expect(retry.every(([, , , processes]) => processes?.startsWith('all, '))).toBe(true);
    await open(`${PLATFORM_PATHS.settings}?setting=internal_api`);
    await isRead();
    const [key] = await rowsOf('Configuration');
    expect(key?.slice(0, 3)).toEqual(['INTERNAL_API_KEY', 'secret', 'Set']);
    await open(PLATFORM_PATHS.processes);
    await second.kill('SIGTERM');
    await person.page.until(`${ROWS} === 1`);
  });

  test("shows nothing of partners' payers, no secret, and no screen of theirs", async () => {
    const words = [...filled.ids.values(), ...filled.secrets, INTERNAL_KEY, ...Object.values(KEYS)];
    const own = new Set(['acme']);
    const leaks: string[] = [];
    for (const path of Object.values(PLATFORM_PATHS)) {
      await open(path);
      await isRead();
      const text = await main();
      leaks.push(...words.filter((word) => word.length > 4 && !own.has(word) && text.includes(word)));
    }
    expect(leaks).toEqual([]);
    for (const path of Object.values(PATHS).filter((one) => one !== PATHS.overview)) {
      await open(path);
      await person.shows(NO_ACCESS);
    }
    await open(`${PATHS.operations}/${filled.ids.get('operationId')}`);
    await person.shows(NO_ACCESS);
    expect(await person.page.evaluate(`document.querySelector('input[type=search]')`)).toBeNull();
    await open(`${ROOT}/platform/nothing`);
    await person.shows('This page does not exist.');
  });

  test("shows a partner's people nothing of all this", async () => {
    await person.signIn(KEYS.acme, 'ADMIN');
    const before = person.page.requests.length;
    for (const path of Object.values(PLATFORM_PATHS)) {
      await open(path);
      await person.shows(NO_ACCESS);
    }
    const links = await person.page.evaluate<string[]>(
      `[...document.querySelectorAll('a')].map((one) => one.getAttribute('href'))`,
    );
    expect(links.filter((href) => href.includes('/platform'))).toEqual([]);
    // Not even the scripts of these screens are loaded.
    expect(person.page.requests.slice(before).filter((url) => url.includes(SCRIPT))).toEqual([]);
    expect(person.page.problems).toEqual([]);
  });
});
