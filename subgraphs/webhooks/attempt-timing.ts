/** The time of each part of an attempt, in milliseconds. Absent: the part was not needed, or never ended. */
export interface AttemptTiming {
  /** Whether an open connection was reused: then no name was resolved and no connection made. */
  readonly reused: boolean;
  /** Resolving the name; absent when the URL has an address. */
  readonly dnsMs?: number;
  /** The TCP connection, over all addresses that were tried. */
  readonly connectMs?: number;
  /** The TLS handshake. */
  readonly tlsMs?: number;
  /** From the connection to the status line of the answer. */
  readonly firstByteMs?: number;
}

export type TimedPart = Exclude<keyof AttemptTiming, 'reused'>;

/** Times one attempt. It reads the clock when a part ends, and sets no timers. */
export class Stopwatch {
  #reused = true;
  #parts: Partial<Record<TimedPart, number>> = {};
  #last = performance.now();
  #statusCode: number | undefined;

  /** Says that the status line of the answer has arrived. */
  answers(statusCode: number): void {
    this.#statusCode = statusCode;
  }

  /** The status of the answer, once its status line has arrived. */
  get statusCode(): number | undefined {
    return this.#statusCode;
  }

  /** Says that a connection is being made for this attempt. */
  connecting(): void {
    this.#reused = false;
    this.#parts = {};
    this.#last = performance.now();
  }

  /** Says that the part has ended and the next begins. */
  ended(part: TimedPart): void {
    const now = performance.now();
    this.#parts[part] = Math.round(now - this.#last);
    this.#last = now;
  }

  /** The times that are known so far. */
  read(): AttemptTiming {
    return { reused: this.#reused, ...this.#parts };
  }
}
