import type { Page } from '../support/browser.ts';

/** Whether a screen is there with all that it reads: an expression for the browser. */
export const IS_READ = `document.readyState === 'complete' && document.querySelector('h1')
  && !document.querySelector('.skeleton')
  && !document.querySelector('[data-state=connecting]')`;

/** Whether something on the page is open that was closed: an expression for the browser. */
export const OPENED = `document.querySelector('dialog[open], details[open]')`;

/** Loads an address anew, and waits for what the expression says. */
export async function visit(page: Page, url: string, until: string = IS_READ): Promise<void> {
  // Away first: two addresses may differ in their fragment alone, or not at all.
  await page.goto('about:blank');
  await page.until(`location.href === 'about:blank'`);
  await page.goto(url);
  await page.until(`location.href !== 'about:blank' && ${until}`);
}

/** Signs in by a link, in place of the session that the browser has. */
export async function signInBy(page: Page, link: string): Promise<void> {
  const replace = `document.querySelector('main.sign-in .actions button:last-child')`;
  await visit(page, link, `(${replace} ?? (${IS_READ}))`);
  if (await page.evaluate<boolean>(`Boolean(${replace})`)) {
    await page.click(replace);
    await page.until(IS_READ);
  }
}

/** Chooses a language in the settings. */
export async function chooseLanguage(page: Page, language: 'en' | 'es'): Promise<void> {
  await page.evaluate(`(() => {
    const select = document.querySelector('#language');
    select.value = '${language}';
    select.dispatchEvent(new Event('change', { bubbles: true }));
  })()`);
  await page.until(`document.documentElement.lang === '${language}'`);
}
