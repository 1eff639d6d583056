import { Agent } from 'undici';
import { createAddressGuard } from '../../../subgraphs/webhooks/address-guard.ts';
import { createGuardedConnector } from '../../../subgraphs/webhooks/connector.ts';

/** Most bytes of an answer. Larger ones fail: documents and keys of providers have a few kilobytes. */
const LARGEST_ANSWER_BYTES = 512 * 1_024;

/** A request as the clients of OpenID Connect make it. */
interface GuardedRequest {
  readonly method: string;
  readonly headers: Headers | Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** The provider gave no usable answer: it cannot be reached, is too slow, or its address is not permitted. */
export class UnreachableProviderError extends Error {
  override readonly name = 'UnreachableProviderError';
}

/** Requests to providers of OpenID Connect. */
export interface GuardedFetch {
  /**
   * Makes a request, and follows no redirect.
   * @throws UnreachableProviderError when no answer came in time, it is longer than 512 KB, or the URL is not HTTPS
   */
  fetch(url: string, request: GuardedRequest): Promise<Response>;
  /** Closes the connections. */
  close(): Promise<void>;
}

interface GuardedFetchOptions {
  /** Blocks of private addresses that providers may have. */
  readonly allowedCidrs: readonly string[];
  /** Time for a request until its whole answer has come, however steadily its bytes come; milliseconds. */
  readonly timeoutMs: number;
  /** Certificate authorities, PEM; the runtime's own when absent. */
  readonly ca?: readonly string[] | undefined;
}

/** Makes requests over HTTPS to addresses that the guard of webhooks permits (SSRF), because the issuer's URL is configuration. */
export function createGuardedFetch({ allowedCidrs, timeoutMs, ca }: GuardedFetchOptions): GuardedFetch {
  const guard = createAddressGuard(allowedCidrs);
  const agent = new Agent({ connect: createGuardedConnector({ guard, timeoutMs, ...(ca && { ca }) }) });
  return {
    fetch: async (url, request) => {
      try {
        const { signal } = request;
        const limits = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])];
        return await exchange(agent, new URL(url), { ...request, signal: AbortSignal.any(limits) });
      } catch (error) {
        throw new UnreachableProviderError(`No answer from ${new URL(url).origin}`, { cause: error });
      }
    },
    close: () => agent.destroy(),
  };
}

async function exchange(
  agent: Agent,
  { protocol, origin, pathname, search }: URL,
  { method, headers, body, signal }: GuardedRequest,
): Promise<Response> {
  if (protocol !== 'https:') {
    throw new TypeError('A provider must have an HTTPS URL');
  }
  const answer = await agent.request({
    origin,
    path: pathname + search,
    method: method === 'POST' ? 'POST' : 'GET',
    headers: Object.fromEntries(new Headers(headers)),
    body: textOf(body),
    ...(signal && { signal }),
  });
  const received = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of [value ?? []].flat()) {
      received.append(name, one);
    }
  }
  const text = await readText(answer.body);
  const { statusCode: status } = answer;
  return new Response(text === '' ? null : text, { status, headers: received });
}

function textOf(body: unknown): string | null {
  if (body === undefined || body === null) {
    return null;
  }
  if (typeof body === 'string' || body instanceof URLSearchParams) {
    return String(body);
  }
  throw new TypeError('Only forms are sent to a provider');
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > LARGEST_ANSWER_BYTES) {
      throw new TypeError(`The answer is longer than ${LARGEST_ANSWER_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
