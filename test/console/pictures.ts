import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findChromium, openBrowser, type Page } from '../support/browser.ts';
import { createDeployment } from '../support/deployment.ts';
import { createTestCertificate } from '../support/test-certificate.ts';
import { startSharedTestServer, TEST_URI_VARIABLE } from '../support/test-database.ts';
import { emptyScreens, type Opener, openersOf, platformScreens, type Screen, screensOf } from './screens.ts';
import { fillStage, STAGE_ENV, type Stage } from './stage.ts';
import { OPENED, signInBy, visit } from './visit.ts';

/** Widths in CSS pixels: a desk, and the narrowest that WCAG asks for. */
const WIDTHS = [1400, 320];
const HEIGHT = 900;
const SCHEMES = ['light', 'dark'] as const;

/** `npm run console:screens -- FOLDER`: a picture of every screen of the console, on a server and a store of its own. */
async function main(): Promise<void> {
  const [folder] = process.argv.slice(2);
  const chromium = findChromium();
  if (folder === undefined || chromium === undefined) {
    throw new TypeError(
      folder === undefined ? 'Say which folder the pictures go to' : 'There is no Chromium on PATH',
    );
  }
  mkdirSync(folder, { recursive: true });
  const store = await startSharedTestServer();
  process.env[TEST_URI_VARIABLE] = store.uri;
  const certificate = await createTestCertificate();
  const deployment = await createDeployment(certificate, { env: STAGE_ENV });
  const browser = await openBrowser(chromium);
  try {
    const stage = await fillStage(deployment);
    const count = await takeAll(browser.page, stage, resolve(folder));
    process.stdout.write(`${count} pictures are in ${resolve(folder)}\n`);
  } finally {
    await browser.close();
    await deployment.close();
    await store.stop();
    certificate.remove();
  }
}

/** @returns how many pictures were taken */
async function takeAll(page: Page, stage: Stage, folder: string): Promise<number> {
  await signInBy(page, await stage.link('ADMIN'));
  const ofPartners = [...screensOf(stage.ids), ...emptyScreens()];
  const count = await takeScreens(page, {
    url: stage.url,
    folder,
    screens: ofPartners,
    openers: openersOf(stage.ids),
  });
  await signInBy(page, await stage.platformLink());
  const ofOperators = { url: stage.url, folder, screens: platformScreens(), openers: [] };
  return count + (await takeScreens(page, ofOperators));
}

interface Taking {
  readonly url: string;
  readonly folder: string;
  readonly screens: readonly Screen[];
  readonly openers: readonly Opener[];
}

/** Takes each screen, and what opens on it, in both colours and widths. @returns how many pictures were taken */
async function takeScreens(page: Page, { url, folder, screens, openers: opened }: Taking): Promise<number> {
  const take = async (name: string) => writeFileSync(join(folder, `${name}.png`), await page.screenshot());
  let count = 0;
  for (const scheme of SCHEMES) {
    await page.preferScheme(scheme);
    for (const width of WIDTHS) {
      await page.resize(width, HEIGHT);
      for (const { name, path } of screens) {
        await visit(page, url + path);
        await take(`${name}-${width}-${scheme}`);
        count += 1;
      }
      for (const { name, path, opener } of opened) {
        await visit(page, url + path);
        await page.evaluate(`document.querySelector('${opener}').focus()`);
        await page.press('Enter');
        await page.until(OPENED);
        await take(`${name}-${width}-${scheme}`);
        count += 1;
      }
    }
  }
  return count;
}

await main();
