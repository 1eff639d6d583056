import { pause } from '../../kernel/abort.ts';
import type { AccountId } from '../../kernel/account.ts';
import { backoff } from './loop.ts';
import type { NumberedEvent } from './model.ts';
import type { Outage } from './outage.ts';
import type { EventReader, Topic } from './reader.ts';

/** Reads what is in the log already, for as long as it takes the database to answer. */
export interface Past {
  /** See {@link EventReader.head}; undefined when the signal aborted before. */
  head(accountId: AccountId, signal: AbortSignal): Promise<number | undefined>;
  /**
   * The events of a topic with `from` < number <= `to`, in order, page by page; `to` may move on meanwhile. Ends early when the
   * signal aborts.
   */
  pages(topic: Topic, from: number, to: () => number, signal: AbortSignal): AsyncGenerator<Page, void, void>;
}

/** Events in order, perhaps none. */
interface Page {
  /** They belong to the caller. */
  readonly events: NumberedEvent[];
  /** The pages so far have everything up to this number. */
  readonly upTo: number;
}

interface PastDeps {
  readonly reader: Pick<EventReader, 'head' | 'between'>;
  readonly outage: Outage;
}

const PAGE = 200;
const FIRST_SPAN = 1_000;

/** Makes the reading of the past that all followers of a process share. */
export function createPast(deps: PastDeps): Past {
  return {
    head: (accountId, signal) => persist(deps.outage, signal, () => deps.reader.head(accountId)),
    pages: (...span) => readPages(deps, ...span),
  };
}

/**
 * Reads in spans of numbers: SecantusDB takes time in proportion to all that a query matches, not to what it returns. A span
 * grows while little is found in it and shrinks when it overflows a page.
 */
async function* readPages(
  { reader, outage }: PastDeps,
  ...[topic, from, to, signal]: Parameters<Past['pages']>
): ReturnType<Past['pages']> {
  let position = from;
  let span = topic.entityId === undefined ? FIRST_SPAN : Number.MAX_SAFE_INTEGER;
  while (position < to()) {
    const [after, end] = [position, Math.min(position + span, to())];
    const events = await persist(outage, signal, () => reader.between(topic, after, end, PAGE));
    if (events === undefined) {
      return;
    }
    const isWhole = events.length < PAGE;
    position = isWhole ? end : (events.at(-1)?.seq ?? end);
    yield { events, upTo: position };
    span = isWhole ? span * (events.length < PAGE / 2 ? 2 : 1) : Math.max(PAGE, span / 2);
  }
}

/** Reads until the database answers; undefined when it was not to go on before. */
async function persist<T>(
  outage: Outage,
  signal: AbortSignal,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        return await read();
      } catch (error) {
        if (!signal.aborted) {
          outage.noticed(signal, error);
        }
        await pause(backoff(failures), signal);
      }
    }
  } finally {
    outage.over(signal);
  }
  return undefined;
}
