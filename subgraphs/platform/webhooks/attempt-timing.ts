/** How long the parts of an attempt took, milliseconds, each by itself. Absent: it was not needed, or never ended. */
export interface AttemptTiming {
  /** Whether a connection was used that was open already: no name was resolved then, no connection made. */
  readonly reused: boolean;
  /** Resolving the name; absent where the URL has an address. */
  readonly dnsMs?: number;
  /** The TCP connection, over all addresses that were tried. */
  readonly connectMs?: number;
  /** The TLS handshake. */
  readonly tlsMs?: number;
  /** From when the connection was there to the status line of the answer. */
  readonly firstByteMs?: number;
}

export type TimedPart = Exclude<keyof AttemptTiming, 'reused'>;

/** Times one attempt. It reads the clock when a part ends, and sets no timers. */
export class Stopwatch {
  #reused = true;
  #parts: Partial<Record<TimedPart, number>> = {};
  #last = performance.now();

  /** A connection is being made for this attempt. */
  connecting(): void {
    this.#reused = false;
    this.#parts = {};
    this.#last = performance.now();
  }

  /** The part has ended, and the next begins. */
  ended(part: TimedPart): void {
    const now = performance.now();
    this.#parts[part] = Math.round(now - this.#last);
    this.#last = now;
  }

  /** What is known until now. */
  read(): AttemptTiming {
    return { reused: this.#reused, ...this.#parts };
  }
}
