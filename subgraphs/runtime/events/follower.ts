import { addAbortListener } from 'node:events';
import type { NumberedEvent } from './model.ts';
import type { Past } from './past.ts';
import type { Topic } from './reader.ts';
import type { Feed, Tail } from './tail.ts';

/** The state that all followers of a process share. */
export interface FollowedLog<Event> {
  readonly past: Past;
  readonly tail: Pick<Tail, 'open'>;
  /** Makes what followers get of an event. */
  present(event: NumberedEvent): Event;
}

interface Following<Event> {
  readonly topic: Topic;
  /** It has everything up to this number. */
  readonly position: number;
  matches(event: Event): boolean;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called once, however it ended. */
  onEnd(): void;
}

interface Reader<Event> {
  resolve(result: IteratorResult<Event, undefined>): void;
  reject(error: unknown): void;
}

const DONE: IteratorReturnResult<undefined> = { value: undefined, done: true };
const NOTHING: readonly NumberedEvent[] = [];

/**
 * The events of a topic after a number: opens the live feed first and then reads the log up to where the feed begins, so that
 * nothing falls between. It ends at once, also while it waits for an event or for the database.
 *
 * A class, and no generators while nothing comes: thousands of followers wait most of the time, and each then is this object,
 * its feed and one promise.
 */
export class LogFollower<Event> implements AsyncIterableIterator<Event, undefined> {
  readonly #log: FollowedLog<Event>;
  readonly #following: Following<Event>;
  readonly #listening: Disposable;
  readonly #readers: Reader<Event>[] = [];
  #position: number;
  /** Events that have been read, and how many of them have been looked at. */
  #batch = NOTHING;
  #seen = 0;
  #feed: Feed | undefined;
  /** While the log is read; nothing is taken from the feed then. */
  #past: AsyncGenerator<readonly NumberedEvent[], void, void> | undefined;
  #reading: AbortController | undefined;
  #isReading = false;
  #isEnded = false;

  constructor(log: FollowedLog<Event>, following: Following<Event>) {
    this.#log = log;
    this.#following = following;
    this.#position = following.position;
    this.#listening = addAbortListener(following.signal, () => this.#end());
  }

  next(): Promise<IteratorResult<Event, undefined>> {
    return new Promise((resolve, reject) => {
      if (this.#isEnded) {
        resolve(DONE);
        return;
      }
      this.#readers.push({ resolve, reject });
      this.#serve();
    });
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.#end();
    return Promise.resolve(DONE);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Hands out what is there, and gets more while readers are left. */
  #serve(): void {
    try {
      while (this.#readers.length > 0 && !this.#isEnded) {
        const value = this.#nextEvent();
        if (value !== undefined) {
          this.#readers.shift()?.resolve({ value, done: false });
        } else if (!this.#refill()) {
          return;
        }
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The next event of the batch that is wanted. */
  #nextEvent(): Event | undefined {
    for (;;) {
      const stored = this.#batch[this.#seen];
      if (stored === undefined) {
        return undefined;
      }
      this.#seen += 1;
      // The tail of this process may be behind what the follower has read, or was given by another process.
      if (stored.seq > this.#position) {
        this.#position = stored.seq;
        const event = this.#log.present(stored);
        if (this.#following.matches(event)) {
          return event;
        }
      }
    }
  }

  /** @returns whether there is another batch; where there is none, {@link #serve} is called when there may be one */
  #refill(): boolean {
    this.#setBatch(NOTHING);
    if (this.#past === undefined && this.#feed !== undefined) {
      const taken = this.#feed.take();
      if (typeof taken !== 'string') {
        this.#setBatch(taken);
        return taken.length > 0;
      }
      this.#feed = undefined;
    }
    this.#readPast();
    return false;
  }

  #setBatch(batch: readonly NumberedEvent[]): void {
    this.#batch = batch;
    this.#seen = 0;
  }

  /** Reads the next page of the log, unless one is being read. */
  #readPast(): void {
    if (this.#isReading) {
      return;
    }
    this.#isReading = true;
    this.#reading ??= new AbortController();
    this.#past ??= this.#openPast(this.#reading.signal);
    this.#past.next().then(
      (page) => {
        this.#isReading = false;
        if (page.done === true) {
          this.#past = undefined;
          this.#reading = undefined;
        } else {
          this.#setBatch(page.value);
        }
        this.#serve();
      },
      (error) => this.#fail(error),
    );
  }

  async *#openPast(signal: AbortSignal): AsyncGenerator<readonly NumberedEvent[], void, void> {
    const { past, tail } = this.#log;
    const { topic } = this.#following;
    const head = await past.head(topic.accountId, signal);
    if (head === undefined || this.#isEnded) {
      return;
    }
    this.#feed = tail.open(topic, head, () => this.#serve());
    yield* past.pages(topic, this.#position, this.#feed.from, signal);
  }

  #fail(error: unknown): void {
    const reader = this.#readers.shift();
    this.#end();
    reader?.reject(error);
  }

  #end(): void {
    if (this.#isEnded) {
      return;
    }
    this.#isEnded = true;
    this.#listening[Symbol.dispose]();
    this.#reading?.abort();
    this.#feed?.close();
    this.#setBatch(NOTHING);
    for (const { resolve } of this.#readers.splice(0)) {
      resolve(DONE);
    }
    this.#following.onEnd();
  }
}
