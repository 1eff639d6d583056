/** The part of autocannon's programmatic API that the benchmarks use; it brings no types of its own. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  export interface RequestData {
    method?: string;
    path?: string;
    headers?: Readonly<Record<string, string>>;
    body?: string;
    /** Called before each request; answers what is sent. */
    setupRequest?(request: RequestData): RequestData;
  }

  export interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    requests: readonly RequestData[];
  }

  export interface Result {
    /** Seconds. */
    readonly duration: number;
    readonly '2xx': number;
    readonly non2xx: number;
    readonly errors: number;
    readonly timeouts: number;
  }

  /** Emits `response` with (client, statusCode, bytes, milliseconds) for each answer. */
  export default function autocannon(
    options: Options,
    done: (error: Error | null, result: Result) => void,
  ): EventEmitter;
}
