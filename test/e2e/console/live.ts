import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsolePage } from '../../support/console-page.ts';
import { type Exchange, exchangeWith } from '../../support/http.ts';
import {
  createMoneyRequest,
  moneyRequestBody,
  newReference,
  queryGraph,
  updateStatus,
} from '../../support/money-requests.ts';

/** Changes of one money request: it is made, being paid, and paid. */
const CHANGES_OF_REQUEST = 3;
const WRITERS = 4;
const RETRY_MS = 100;

/** `reference status` of each row that the page shows, in order, as JavaScript. */
const ROWS = `[...document.querySelectorAll('tr[data-key]')].map(({ dataset, cells }) =>
  dataset.key + ' ' + cells[1].textContent.replace(/[^A-Za-z ]/g, '').trim())`;

/** The rows that the page has shown since {@link watchRows}. */
interface SeenRows {
  /** When each state of a row was first there, in milliseconds, by `reference status`. */
  readonly at: Readonly<Record<string, number>>;
  /** States of rows that the page has shown twice at a time. */
  readonly twice: readonly string[];
}

/** Has the page note each state of each row, when it shows it first. */
export async function watchRows({ page }: ConsolePage): Promise<void> {
  await page.evaluate(`(() => {
    window.seen = { at: {}, twice: [] };
    const look = () => {
      const keys = new Set();
      for (const row of ${ROWS}) {
        const [key] = row.split(' ');
        if (keys.has(key)) seen.twice.push(row);
        keys.add(key);
        seen.at[row] ??= Date.now();
      }
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    look();
  })()`);
}

export function readSeen({ page }: ConsolePage): Promise<SeenRows> {
  return page.evaluate<SeenRows>('window.seen');
}

export function readRows({ page }: ConsolePage): Promise<string[]> {
  return page.evaluate<string[]>(ROWS);
}

/** Shows what is new, if there is something, and waits until the rows are those of the store. @throws with the difference */
export async function showStored({ page }: ConsolePage, url: string): Promise<void> {
  await page.evaluate(`document.querySelector('.live-bar .primary')?.click()`);
  const stored = await readStored(exchangeWith(url));
  await page.until(`JSON.stringify(${ROWS}) === ${JSON.stringify(JSON.stringify(stored))}`);
}

async function readStored(exchange: Exchange): Promise<string[]> {
  const list = '{ requestMonies(first: 50) { nodes { referenceId status } } }';
  type Listed = { requestMonies: { nodes: { referenceId: string; status: string }[] } };
  const { data } = await queryGraph<Listed>(exchange, list);
  const nodes = data?.requestMonies.nodes ?? [];
  return nodes.map(
    ({ referenceId, status }) => `${referenceId} ${status[0]}${status.slice(1).toLowerCase()}`,
  );
}

/** Cursors of the events that came to the page, each as often as it came. */
export function cursorsIn(messages: readonly string[]): string[] {
  type Message = { payload?: { data?: { requestMoneyStatusChanged?: { cursor: string } } } };
  return messages.flatMap((text) => {
    const { payload }: Message = JSON.parse(text);
    return payload?.data?.requestMoneyStatusChanged?.cursor ?? [];
  });
}

/** Makes calls that change money requests of acme; while the server is away each is made again until it is answered. */
export class Changes {
  readonly #exchange: Exchange;
  /** When each change was answered, in milliseconds, by `reference status`. */
  readonly answered = new Map<string, number>();

  constructor(url: string) {
    this.#exchange = exchangeWith(url);
  }

  async create(): Promise<string> {
    const referenceId = newReference();
    const body = moneyRequestBody(referenceId);
    const options = { idempotencyKey: referenceId };
    await this.#do(`${referenceId} Pending`, () => createMoneyRequest(this.#exchange, body, options));
    return referenceId;
  }

  async pay(referenceId: string): Promise<void> {
    for (const status of ['Processing', 'Completed']) {
      const update = { referenceId, status: status.toLowerCase() };
      await this.#do(`${referenceId} ${status}`, () => updateStatus(this.#exchange, update));
    }
  }

  /** Makes about so many changes, several at once. */
  async make(count: number, perSecond: number): Promise<void> {
    let left = Math.ceil(count / CHANGES_OF_REQUEST);
    const pause = () => sleep((1_000 * WRITERS * CHANGES_OF_REQUEST) / perSecond);
    const write = async () => {
      while (left > 0) {
        left -= 1;
        await this.pay(await this.create());
        await pause();
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, write));
  }

  async #do(name: string, call: () => Promise<{ status: number }>): Promise<void> {
    while (!(await isAnswered(call))) {
      await sleep(RETRY_MS);
    }
    this.answered.set(name, Date.now());
  }
}

/** Whether it was done: not while the server is away, or says that it is going. */
async function isAnswered(call: () => Promise<{ status: number }>): Promise<boolean> {
  try {
    return (await call()).status < 500;
  } catch {
    // The connection has broken: nobody knows whether it was done.
    return false;
  }
}

/** The value that a share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
