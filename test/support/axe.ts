import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/**
 * Rules of WCAG 2.2 AA that a page breaks, each with its address and elements. Source of the rules: axe-core.
 */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(`window.axe || (() => { ${AXE} })();0`);
  await page.evaluate(
    `window.axeResult = undefined;
    axe.run(document, { runOnly: ${JSON.stringify(WCAG)}, resultTypes: ['violations'] }).then((result) => { window.axeResult = result; });0`,
  );
  await page.until('window.axeResult');
  return page.evaluate(
    `window.axeResult.violations.map(({ id, nodes }) => [location.pathname, id, ...nodes.map(({ target }) => target)].join(' '))`,
  );
}
