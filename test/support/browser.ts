import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { findOnPath } from '../../subgraphs/dev-store/which.ts';
import { describeLoad } from '../runner/pace.ts';
import { createInterceptor, type Interception } from './intercept.ts';
import { click, type Mouse } from './mouse.ts';
import { patienceMs } from './until.ts';

/** A page in a browser. Expressions are JavaScript that is run in it. */
export interface Page {
  goto(url: string): Promise<void>;
  /** Waits for what the expression promises. @throws Error with what it threw */
  evaluate<T>(expression: string): Promise<T>;
  /** Polls until the expression is true, by default as long as the test may wait. @throws Error that names it */
  until(expression: string, timeoutMs?: number): Promise<void>;
  /** Gives the page this many CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  /** Has the page think that its reader prefers this. */
  preferScheme(scheme: 'light' | 'dark'): Promise<void>;
  /**
   * Presses the mouse in the middle of the element that the expression gives. Where a page moves meanwhile, so that something
   * else is under the mouse, that gets nothing, and the element is pressed where it is then.
   */
  click(element: string): Promise<void>;
  /** Presses the middle button as {@link Page.click} presses the left one. */
  clickMiddle(element: string): Promise<void>;
  /** Addresses of all tabs of the browser. */
  tabs(): Promise<readonly string[]>;
  /** A picture of the whole page, PNG. */
  screenshot(): Promise<Buffer>;
  /** Answers requests of these addresses in the server's place, or holds them back; undefined ends it. */
  intercept(urlPattern: string, interception: Interception | undefined): Promise<void>;
  /** Presses a key in what has the focus, such as `Tab` or `Enter`. */
  press(key: PressedKey): Promise<void>;
  /** Types a text into what has the focus. */
  type(text: string): Promise<void>;
  /** Addresses that the way back of the tab has, oldest first. */
  history(): Promise<readonly string[]>;
  /** All that the browser keeps for the page's host, those that scripts cannot read too. */
  cookies(): Promise<readonly Cookie[]>;
  /** Address of everything that the page requested, WebSockets too. */
  readonly requests: readonly string[];
  /** Texts that its WebSockets have got, oldest first. */
  readonly messages: readonly string[];
  /** Uncaught errors, and what the page's policy forbade. */
  readonly problems: readonly string[];
}

/** Source: Cookie of the DevTools protocol. */
interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly httpOnly: boolean;
  /** Absent when the cookie does not say. */
  readonly sameSite?: 'Strict' | 'Lax' | 'None';
}

/** Source: TargetInfo of the DevTools protocol. */
interface Target {
  readonly type: string;
  readonly url: string;
}

/** How the protocol describes keys: some act only with their text. */
const KEYS = {
  Tab: { windowsVirtualKeyCode: 9 },
  Enter: { windowsVirtualKeyCode: 13, text: '\r' },
  Escape: { windowsVirtualKeyCode: 27 },
  ' ': { windowsVirtualKeyCode: 32, text: ' ' },
  ArrowDown: { windowsVirtualKeyCode: 40 },
  j: { windowsVirtualKeyCode: 74, text: 'j' },
  k: { windowsVirtualKeyCode: 75, text: 'k' },
  '/': { windowsVirtualKeyCode: 191, text: '/' },
  '?': { windowsVirtualKeyCode: 191, text: '?' },
};
type PressedKey = keyof typeof KEYS;

export interface Browser {
  readonly page: Page;
  close(): Promise<void>;
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];
const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  // They would take their width from the page, which is as wide as given.
  '--hide-scrollbars',
  '--remote-debugging-port=0',
  '--window-size=1400,1000',
];

/** The program of an installed Chromium; undefined when there is none. */
export function findChromium(): string | undefined {
  return NAMES.map((name) => findOnPath(name, process.env)).find((path) => path !== undefined);
}

/**
 * Starts Chromium with one empty page, steered by its DevTools protocol.
 * @param trusted PEM of a certificate that signs itself, which the browser accepts
 */
export async function openBrowser(program: string, trusted?: string): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'remitgraph-browser-'));
  const trust = trusted === undefined ? [] : [`--ignore-certificate-errors-spki-list=${spkiOf(trusted)}`];
  const child = spawn(program, [...FLAGS, ...trust, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const socket = new WebSocket(await readEndpoint(child));
  await once(socket, 'open');
  const protocol = createProtocol(socket);
  return {
    page: await openPage(protocol),
    close: async () => {
      // Its streams close when the last of its processes has ended: until then they write to the profile.
      const ended = once(child, 'close');
      // Without waiting for the answer: the socket may close before it comes.
      void protocol.send('Browser.close');
      await ended;
      socket.close();
      rmSync(profile, { recursive: true, maxRetries: 5 });
    },
  };
}

/** The SHA-256 of a certificate's public key, as Chromium takes it. */
function spkiOf(certificate: string): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}

async function readEndpoint(child: ChildProcess): Promise<string> {
  const lines = child.stderr ? createInterface(child.stderr) : [];
  for await (const line of lines) {
    const [, endpoint] = /^DevTools listening on (ws:\S+)/.exec(line) ?? [];
    if (endpoint !== undefined) {
      child.stderr?.resume();
      return endpoint;
    }
  }
  throw new Error('Chromium ended before it could be steered');
}

type Params = Record<string, unknown>;
type Send = <T = Params>(method: string, params?: Params) => Promise<T>;
interface Protocol {
  send<T = Params>(method: string, params?: Params, sessionId?: string): Promise<T>;
  onEvent(listener: (method: string, params: Params) => void): void;
}

function createProtocol(socket: WebSocket): Protocol {
  const waiting = new Map<number, (message: { result?: unknown; error?: { message: string } }) => void>();
  const listeners: ((method: string, params: Params) => void)[] = [];
  socket.on('message', (data) => {
    const message = JSON.parse(String(data));
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
    for (const listener of message.method ? listeners : []) {
      listener(message.method, message.params);
    }
  });
  let calls = 0;
  return {
    send: <T>(method: string, params: Params = {}, sessionId?: string) =>
      new Promise<T>((resolve, reject) => {
        calls += 1;
        waiting.set(calls, ({ result, error }) =>
          error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result as T),
        );
        socket.send(JSON.stringify({ id: calls, method, params, sessionId }));
      }),
    onEvent: (listener) => {
      listeners.push(listener);
    },
  };
}

/** Reports violations of the page's policy by a call that the protocol reports. */
const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) =>
  reportProblem(event.violatedDirective + ' forbids ' + event.blockedURI))`;

async function openPage(protocol: Protocol): Promise<Page> {
  const seen: Seen = { requests: [], messages: [], problems: [] };
  protocol.onEvent((method, params) => record(method, params, seen));
  const { targetId } = await protocol.send<{ targetId: string }>('Target.createTarget', {
    url: 'about:blank',
  });
  const attach = { targetId, flatten: true };
  const { sessionId } = await protocol.send<{ sessionId: string }>('Target.attachToTarget', attach);
  const send: Send = (method, params) => protocol.send(method, params, sessionId);
  for (const domain of ['Page', 'Runtime', 'Network']) {
    await send(`${domain}.enable`);
  }
  await send('Runtime.addBinding', { name: 'reportProblem' });
  await send('Page.addScriptToEvaluateOnNewDocument', { source: REPORT_VIOLATIONS });
  const page: Page = {
    ...seen,
    goto: async (url) => void (await send('Page.navigate', { url })),
    evaluate: (expression) => evaluate(send, expression),
    until: (expression, timeoutMs = patienceMs()) => until(page, expression, timeoutMs),
    resize: async (width, height) => {
      await send('Emulation.setDeviceMetricsOverride', {
        width,
        height,
        deviceScaleFactor: 1,
        mobile: false,
      });
    },
    preferScheme: async (value) => {
      await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
    },
    click: (element) => click(mouse, element, 'left'),
    clickMiddle: (element) => click(mouse, element, 'middle'),
    tabs: async () => {
      const { targetInfos } = await protocol.send<{ targetInfos: readonly Target[] }>('Target.getTargets');
      return targetInfos.filter(({ type }) => type === 'page').map(({ url }) => url);
    },
    screenshot: async () => {
      const { data } = await send<{ data: string }>('Page.captureScreenshot', {
        captureBeyondViewport: true,
      });
      return Buffer.from(data, 'base64');
    },
    intercept: createInterceptor(send, protocol.onEvent, (problem) => seen.problems.push(problem)),
    press: async (key) => {
      const event = { key, code: key, ...KEYS[key] };
      await send('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
      await send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
    },
    type: async (text) => void (await send('Input.insertText', { text })),
    cookies: async () => (await send<{ cookies: readonly Cookie[] }>('Network.getCookies')).cookies,
    history: async () => {
      const { entries } = await send<{ entries: readonly { url: string }[] }>('Page.getNavigationHistory');
      return entries.map(({ url }) => url);
    },
  };
  const mouse: Mouse = {
    send,
    until: page.until,
    evaluate: (expression) => evaluateHere(page, expression),
  };
  return page;
}

async function evaluate<T>(send: Send, expression: string): Promise<T> {
  const { result, exceptionDetails } = await send<{ result: { value: T }; exceptionDetails?: unknown }>(
    'Runtime.evaluate',
    { expression, returnByValue: true, awaitPromise: true },
  );
  if (exceptionDetails) {
    throw new Error(JSON.stringify(exceptionDetails));
  }
  return result.value;
}

async function until(page: Page, expression: string, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  // A page that is being loaded has no body for a moment.
  while ((await evaluateHere(page, `Boolean(document.body && (${expression}))`)) !== true) {
    if (Date.now() > deadline) {
      const shown = await page.evaluate<string>('document.body.innerText');
      throw new Error(
        `Waited in vain for ${expression} (${describeLoad()}); problems: ${page.problems.join(', ') || 'none'}; shown: ${shown}`,
      );
    }
    await sleep(50);
  }
}

/** The protocol's error while the page of an evaluation gives way to another one. */
const PAGE_IS_GONE = /context was destroyed|Cannot find (default )?(execution )?context|navigated or closed/;

/** The value of an expression; undefined when the page goes away meanwhile. @throws Error with what it threw */
async function evaluateHere(page: Page, expression: string): Promise<unknown> {
  try {
    return await page.evaluate(expression);
  } catch (error) {
    if (error instanceof Error && PAGE_IS_GONE.test(error.message)) {
      return undefined;
    }
    throw error;
  }
}

/** The actions of a page so far. */
interface Seen {
  readonly requests: string[];
  readonly messages: string[];
  readonly problems: string[];
}

function record(method: string, params: Params, { requests, messages, problems }: Seen): void {
  if (method === 'Network.requestWillBeSent') {
    requests.push((params.request as { url: string }).url);
  } else if (method === 'Network.webSocketCreated') {
    requests.push(params.url as string);
  } else if (method === 'Network.webSocketFrameReceived') {
    messages.push((params.response as { payloadData: string }).payloadData);
  } else if (method === 'Runtime.exceptionThrown') {
    problems.push(JSON.stringify(params.exceptionDetails));
  } else if (method === 'Runtime.bindingCalled') {
    problems.push(params.payload as string);
  }
}
