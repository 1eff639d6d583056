import autocannon, { type RequestData, type Result } from 'autocannon';

/** The result of one side of a comparison in one round. */
export interface Round {
  readonly perSecond: number;
  /** Of each answer, milliseconds. */
  readonly latencies: readonly number[];
}

export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Makes the next request. */
  readonly next: () => RequestData;
}

/** Sends requests over loopback for some time. @throws when an answer is not 2xx: nothing then was measured */
export async function run({ url, connections, seconds, next }: Load): Promise<Round> {
  const latencies: number[] = [];
  const result = await new Promise<Result>((resolve, reject) => {
    const requests = [{ ...next(), setupRequest: (request: RequestData) => ({ ...request, ...next() }) }];
    const instance = autocannon({ url, connections, duration: seconds, requests }, (error, outcome) =>
      error ? reject(error) : resolve(outcome),
    );
    instance.on('response', (_client: unknown, _status: number, _bytes: number, ms: number) => {
      latencies.push(ms);
    });
  });
  if (result.non2xx > 0 || result.errors > 0 || result.timeouts > 0) {
    throw new Error(
      `${url}: ${result.non2xx} refusals, ${result.errors} errors, ${result.timeouts} timeouts`,
    );
  }
  return { perSecond: result['2xx'] / result.duration, latencies };
}

/** The value that the given part of all values does not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
