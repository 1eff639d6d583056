import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The rules for which colours, width and language of the same elements matter. */
const OF_THE_LOOK = [
  ...['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable'],
  ...['html-has-lang', 'html-lang-valid', 'valid-lang'],
];

/**
 * Rules of WCAG 2.2 AA that a page breaks, each with its address and elements. Source of the rules: axe-core.
 * @param which `look`: only the rules that another theme, width or language may break
 */
export async function findViolations(page: Page, which: 'all' | 'look' = 'all'): Promise<string[]> {
  const runOnly = which === 'all' ? WCAG : { type: 'rule', values: OF_THE_LOOK };
  await page.evaluate(`window.axe || (() => { ${AXE} })();0`);
  await page.evaluate(
    `window.axeResult = undefined;
    axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] }).then((result) => { window.axeResult = result; });0`,
  );
  await page.until('window.axeResult');
  return page.evaluate(
    `window.axeResult.violations.map(({ id, nodes }) => [location.pathname, id, ...nodes.map(({ target }) => target)].join(' '))`,
  );
}
