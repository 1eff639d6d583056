import { addAbortListener } from 'node:events';
import type { NumberedEvent } from './model.ts';
import type { Past } from './past.ts';
import type { Topic } from './reader.ts';
import type { Follower, Tail } from './tail.ts';

/** The state that all followers of a process share. */
export interface FollowedLog<Event> {
  readonly past: Past;
  readonly tail: Pick<Tail, 'add' | 'remove'>;
  /** Events that may wait in a follower; one more, and it reads the log again. */
  readonly waitingLimit: number;
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

/**
 * The events of a topic after a number. It begins behind, and a slow reader puts it behind again. While it is behind, it reads the
 * log, page by page as its reader takes them, and keeps no event from the tail: each only moves the number up to which the log
 * must be read, so nothing falls between. Otherwise it keeps events from the tail until its reader comes. It ends at once, also
 * while it waits for an event or for the database.
 *
 * A class, and no generators while nothing comes: thousands of followers wait most of the time, and each then is this object
 * and one promise.
 */
export class LogFollower<Event> implements AsyncIterableIterator<Event, undefined>, Follower {
  readonly #log: FollowedLog<Event>;
  readonly #following: Following<Event>;
  readonly #listening: Disposable;
  /** Readers that wait; undefined without any. */
  #readers: Reader<Event>[] | undefined;
  /** Events that wait for a reader, in order; undefined without any. */
  #waiting: NumberedEvent[] | undefined;
  /** The number of the last event that the reader has got, or that it does not want. */
  #position: number;
  /** It has everything up to this number, {@link #waiting} included. */
  #known: number;
  /** The log must be read up to this number. It is behind while that is past {@link #known}, and before it is added to the tail. */
  #target = Number.POSITIVE_INFINITY;
  /** While the log is read. */
  #pages: ReturnType<Past['pages']> | undefined;
  #reading: AbortController | undefined;
  #isReading = false;
  #isEnded = false;

  constructor(log: FollowedLog<Event>, following: Following<Event>) {
    this.#log = log;
    this.#following = following;
    this.#position = following.position;
    this.#known = following.position;
    this.#listening = addAbortListener(following.signal, () => this.#end());
  }

  get topic(): Topic {
    return this.#following.topic;
  }

  next(): Promise<IteratorResult<Event, undefined>> {
    return new Promise((resolve, reject) => {
      if (this.#isEnded) {
        resolve(DONE);
        return;
      }
      this.#readers = withLast(this.#readers, { resolve, reject });
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

  receive(event: NumberedEvent): void {
    // The tail of this process may be behind what the follower has read, or was given by another process.
    if (event.seq <= this.#known) {
      return;
    }
    if (this.#isBehind()) {
      this.#target = event.seq;
    } else if (this.#waiting !== undefined && this.#waiting.length >= this.#log.waitingLimit) {
      this.#waiting = undefined;
      this.#known = this.#position;
      this.#target = event.seq;
    } else {
      this.#known = event.seq;
      this.#waiting = withLast(this.#waiting, event);
      this.#serve();
    }
  }

  #isBehind(): boolean {
    return this.#known < this.#target;
  }

  /** Hands out what is there, and reads the log for readers that are left while it is behind. */
  #serve(): void {
    try {
      while (this.#readers !== undefined) {
        const value = this.#nextEvent();
        if (value === undefined) {
          if (this.#isBehind()) {
            this.#read();
          }
          return;
        }
        this.#shiftReader()?.resolve({ value, done: false });
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The next event that waits and is wanted. */
  #nextEvent(): Event | undefined {
    for (let stored = this.#waiting?.shift(); stored !== undefined; stored = this.#waiting?.shift()) {
      this.#position = stored.seq;
      const event = this.#log.present(stored);
      if (this.#following.matches(event)) {
        return event;
      }
    }
    this.#waiting = undefined;
    return undefined;
  }

  #shiftReader(): Reader<Event> | undefined {
    const reader = this.#readers?.shift();
    if (this.#readers?.length === 0) {
      this.#readers = undefined;
    }
    return reader;
  }

  /** Reads the next page of the log, unless one is being read. */
  #read(): void {
    if (this.#isReading) {
      return;
    }
    this.#isReading = true;
    this.#reading ??= new AbortController();
    this.#pages ??= this.#openPages(this.#reading.signal);
    this.#pages.next().then(
      (page) => {
        this.#isReading = false;
        if (page.done !== true) {
          this.#waiting = page.value.events;
          this.#known = page.value.upTo;
        }
        if (page.done === true || !this.#isBehind()) {
          this.#pages = undefined;
          this.#reading = undefined;
        }
        this.#serve();
      },
      (error) => this.#fail(error),
    );
  }

  async *#openPages(signal: AbortSignal): ReturnType<Past['pages']> {
    const { past, tail } = this.#log;
    if (this.#target === Number.POSITIVE_INFINITY) {
      const head = await past.head(signal);
      if (head === undefined || this.#isEnded) {
        return;
      }
      this.#target = tail.add(this, head);
    }
    yield* past.pages(this.topic, this.#known, () => this.#target, signal);
  }

  #fail(error: unknown): void {
    const reader = this.#shiftReader();
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
    this.#log.tail.remove(this);
    this.#waiting = undefined;
    const readers = this.#readers;
    this.#readers = undefined;
    for (const { resolve } of readers ?? []) {
      resolve(DONE);
    }
    this.#following.onEnd();
  }
}

/** Mostly one: a list of its own is smaller than one that has grown. */
function withLast<T>(list: T[] | undefined, item: T): T[] {
  if (list === undefined) {
    return [item];
  }
  list.push(item);
  return list;
}
