import type { Step } from './stage.ts';
import type { Terminal } from './terminal.ts';

interface RestCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  /** Status that the answer must have. */
  readonly expected: number;
}

/** An answer: its exact text, and its parsed content. */
interface Answer<T> {
  readonly text: string;
  readonly value: T;
}

/** A partner's client of the product: HTTP, and one key. */
export interface Client {
  /**
   * Calls, and shows the request and the answer's status.
   * @throws Error with the answer when its status is not the expected one
   */
  rest<T>(call: RestCall, step: Step): Promise<Answer<T>>;
  /**
   * Runs a query or mutation.
   * @returns the answer's data
   * @throws Error with the answer when it has errors
   */
  graphql<T>(query: string, variables: Readonly<Record<string, unknown>>, step: Step): Promise<T>;
}

interface ClientDeps {
  /** Where the server listens, such as `http://127.0.0.1:4000`. */
  url: string;
  key: string;
  colors: Terminal['colors'];
}

const JSON_TYPE = { 'content-type': 'application/json' };

export function createClient({ url, key, colors }: ClientDeps): Client {
  const keyHeader = { 'X-API-Key': key };
  return {
    rest: async <T>({ method, path, body, expected }: RestCall, step: Step) => {
      step.say(colors.cyan(`${method} ${path}`));
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      if (sent.body !== undefined) {
        step.say(colors.dim(sent.body));
      }
      const response = await fetch(new URL(path, url), {
        method,
        headers: sent.body === undefined ? keyHeader : { ...keyHeader, ...JSON_TYPE },
        signal: step.signal,
        ...sent,
      });
      const text = await response.text();
      if (response.status !== expected) {
        throw new Error(`the answer was ${response.status} instead of ${expected}: ${text}`);
      }
      step.say(colors.cyan(`${response.status} ${response.headers.get('content-type')}`));
      const value: T = JSON.parse(text);
      return { text, value };
    },
    graphql: async <T>(query: string, variables: Readonly<Record<string, unknown>>, step: Step) => {
      const response = await fetch(new URL('/graphql', url), {
        method: 'POST',
        headers: { ...keyHeader, ...JSON_TYPE },
        body: JSON.stringify({ query, variables }),
        signal: step.signal,
      });
      const text = await response.text();
      const { data, errors }: { data?: T | null; errors?: unknown } = JSON.parse(text);
      if (errors !== undefined || !data) {
        throw new Error(`the answer was ${response.status} ${text}`);
      }
      return data;
    },
  };
}
