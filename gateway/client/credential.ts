import { asLiveError } from './live-error.ts';

/**
 * The caller's credential. A server uses its key. A web page of the graph's own host uses the cookie of its session, which
 * the browser sends by itself; `headers` go with it. Any other web page uses a browser token, which its own server makes for
 * it (mutation `createBrowserToken`). The function is called before each connection and each query, so it may cache a token
 * until shortly before its end. If it fails, the client tries again later; if it throws a final {@link LiveError}, the
 * subscription ends.
 */
export type Credential =
  | { readonly apiKey: string }
  | { readonly cookie: true; readonly headers?: Readonly<Record<string, string>> }
  | { readonly browserToken: () => string | Promise<string> };

/** Provides the credential. */
export interface CredentialHeaders {
  /** Whether another call may return another credential. */
  readonly canChange: boolean;
  /** Headers of HTTP, and `connectionParams` of a WebSocket. @throws LiveError `NO_CREDENTIAL`, or the function's own */
  read(): Promise<Readonly<Record<string, string>>>;
}

/** @throws TypeError when there is neither a key nor a function */
export function readCredential(credential: Credential): CredentialHeaders {
  if ('apiKey' in credential) {
    const { apiKey } = credential;
    if (typeof apiKey !== 'string' || apiKey === '') {
      throw new TypeError('credential.apiKey must be a text that is not empty');
    }
    return { canChange: false, read: async () => ({ 'X-API-Key': apiKey }) };
  }
  if ('cookie' in credential) {
    const { headers = {} } = credential;
    return { canChange: false, read: async () => headers };
  }
  const { browserToken } = credential;
  if (typeof browserToken !== 'function') {
    throw new TypeError('credential must have an apiKey, or browserToken, a function that gives a token');
  }
  return {
    canChange: true,
    async read() {
      try {
        return { Authorization: `Bearer ${await browserToken()}` };
      } catch (error) {
        throw asLiveError(error, 'NO_CREDENTIAL', 'The function browserToken has failed');
      }
    },
  };
}
