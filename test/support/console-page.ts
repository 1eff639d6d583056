import type { Page } from './browser.ts';
import { makeLink } from './console-session.ts';
import { exchangeWith } from './http.ts';
import { patienceMs } from './until.ts';

/** The console in a browser, used as a person uses it. */
export interface ConsolePage {
  readonly page: Page;
  /** Signs in by a new link, in place of the session that the browser has. @returns the code of the link */
  signIn(key: string, access?: 'READ' | 'ADMIN'): Promise<string>;
  /** Signs in by the code of a link. */
  signInBy(code: string): Promise<void>;
  /** Loads an address of the console anew, such as `/webhooks`. */
  open(path: string): Promise<void>;
  /** Presses the button, link or summary that says this. Counted. */
  press(name: string | RegExp): Promise<void>;
  /** The same in the open dialog; waits for one. */
  pressInDialog(name: string | RegExp): Promise<void>;
  /** How often something was pressed. */
  presses(): number;
  /** Types into the input with this label, in place of what was in it. */
  fill(label: string, text: string): Promise<void>;
  /** Types into the search box, and presses Enter. */
  search(text: string): Promise<void>;
  /** Waits until the page shows a text. */
  shows(text: string | RegExp): Promise<void>;
  /** Waits until the page shows a status with this tone and these words. */
  showsStatus(tone: 'good' | 'bad' | 'busy' | 'idle', words: string): Promise<void>;
  /** All that the page shows. */
  text(): Promise<string>;
  /** The part of the address after the host. */
  address(): Promise<string>;
}

const BUTTONS = 'button, a, summary';

/** @param url of the server */
export function useConsole(page: Page, url: string): ConsolePage {
  let presses = 0;
  const load = async (address: string) => {
    // Away first: another fragment or the same address would not load the page again.
    await page.goto('about:blank');
    await page.until(`location.href === 'about:blank'`);
    await page.goto(`${url}/console${address}`);
    await page.until(`document.readyState === 'complete' && document.querySelector('main h1')`);
  };
  const press = async (within: string, name: string | RegExp) => {
    presses += 1;
    const element = elementSaying(within, name);
    await page.until(element);
    await page.click(element);
  };
  const signInBy = async (code: string) => {
    await load(`/#code=${code}`);
    const choice = elementSaying('document', 'Use the link');
    await page.until(`document.querySelector('nav.screens') ?? ${choice}`);
    if (await page.evaluate<boolean>(`Boolean(${choice})`)) {
      await page.click(choice);
      await page.until(`document.querySelector('nav.screens')`);
    }
  };
  return {
    page,
    signIn: async (key, access = 'ADMIN') => {
      const { code } = await makeLink(exchangeWith(url), key, { access, label: 'Ana' });
      await signInBy(code);
      return code;
    },
    signInBy,
    open: load,
    press: (name) => press('document', name),
    pressInDialog: (name) => press(`document.querySelector('dialog[open]')`, name),
    presses: () => presses,
    fill: (label, text) => fill(page, inputOf(label), text),
    search: async (text) => {
      await fill(page, `document.querySelector('input[type=search]')`, text);
      await page.press('Enter');
    },
    shows: (text) => page.until(isSaid('document.body.innerText', text)),
    showsStatus: (tone, words) =>
      page.until(`[...document.querySelectorAll('.status.${tone}')].some(
        (one) => one.checkVisibility() && one.innerText.trim() === ${JSON.stringify(words)})`),
    text: () => page.evaluate<string>('document.body.innerText'),
    address: () => page.evaluate<string>('location.pathname + location.search + location.hash'),
  };
}

/** Types a text into an input, again when the page took the focus away meanwhile, until the input has it. */
async function fill(page: Page, input: string, text: string): Promise<void> {
  const value = JSON.stringify(text);
  const deadline = Date.now() + patienceMs();
  do {
    await page.until(`(${input})?.checkVisibility()`);
    await page.evaluate(`(${input})?.focus(); (${input})?.select()`);
    await page.type(text);
  } while (Date.now() < deadline && !(await page.evaluate(`(${input})?.value === ${value}`)));
  // The focus may be taken away after the last letter, too.
  await page.until(`(() => {
    const input = ${input};
    input?.focus();
    return input?.value === ${value} && document.activeElement === input;
  })()`);
}

function isSaid(text: string, wanted: string | RegExp): string {
  return typeof wanted === 'string'
    ? `${text}.includes(${JSON.stringify(wanted)})`
    : `${wanted}.test(${text})`;
}

/** Scrolled to where a mouse can press it. */
function elementSaying(within: string, name: string | RegExp): string {
  const said = 'one.innerText.trim()';
  const isIt = typeof name === 'string' ? `${said} === ${JSON.stringify(name)}` : `${name}.test(${said})`;
  return `(() => {
    const found = [...(${within}?.querySelectorAll('${BUTTONS}') ?? [])].find(
      (one) => !one.disabled && one.checkVisibility() && ${isIt},
    );
    found?.scrollIntoView({ block: 'center' });
    return found;
  })()`;
}

function inputOf(label: string): string {
  return `[...document.querySelectorAll('label')].find((one) => one.innerText.trim() === ${JSON.stringify(label)})?.control`;
}
