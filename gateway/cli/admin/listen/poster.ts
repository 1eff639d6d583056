import { buildConnector } from 'undici';
import { unlessAborted } from '../../../../subgraphs/kernel/abort.ts';
import { codeOf, messageOf } from '../../../../subgraphs/kernel/errors/thrown.ts';
import { createTimedAgent } from '../../../../subgraphs/webhooks/timed-agent.ts';

/** The developer's server's answer: a status, or why there was none. */
type PostResult =
  | { readonly kind: 'answered'; readonly statusCode: number }
  | { readonly kind: 'failed'; readonly reason: string }
  /** The signal came first. */
  | { readonly kind: 'stopped' };

/** Posts to the developer's server. */
export interface Poster {
  post(
    url: URL,
    request: { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer },
    signal: AbortSignal,
  ): Promise<PostResult>;
  close(): Promise<void>;
}

/** Redirects are not followed, as with real deliveries. @param ca PEM of an authority trusted besides the runtime's */
export function createPoster({ timeoutMs, ca }: { timeoutMs: number; ca?: string[] | undefined }): Poster {
  const connect = buildConnector({ timeout: timeoutMs, ...(ca && { ca }) });
  const agent = createTimedAgent(connect, { headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
  const exchange = async (url: URL, headers: Readonly<Record<string, string>>, body: Buffer) => {
    const path = url.pathname + url.search;
    const answer = await agent.request({ origin: url.origin, path, method: 'POST', headers, body });
    await answer.body.dump();
    return answer.statusCode;
  };
  return {
    post: async (url, { headers, body }, signal) => {
      try {
        const answered = await unlessAborted(signal, () => exchange(url, headers, body));
        return answered.aborted ? { kind: 'stopped' } : { kind: 'answered', statusCode: answered.value };
      } catch (error) {
        return { kind: 'failed', reason: reasonOf(error) };
      }
    },
    close: () => agent.destroy(),
  };
}

/** The code, if there is one: `ECONNREFUSED` says more than its message, which is empty for `localhost`. */
function reasonOf(error: unknown): string {
  return codeOf(error) ?? messageOf(error);
}
