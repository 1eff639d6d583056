/** The fate of a request: it waits for an answer for ever, or gets this one. */
export type Interception =
  | 'hold'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string };

type Send = (method: string, params?: Record<string, unknown>) => Promise<unknown>;
type OnEvent = (listener: (method: string, params: Record<string, unknown>) => void) => void;

/**
 * Takes requests of a page from its network. Those that are held back go on when it ends.
 * @returns a function that begins it for addresses of a pattern such as `*\/graphql`, or ends it
 */
export function createInterceptor(send: Send, onEvent: OnEvent, report: (problem: string) => void) {
  let present: Interception = 'hold';
  onEvent((method, { requestId }) => {
    if (method === 'Fetch.requestPaused' && present !== 'hold') {
      const { status, headers = {}, body } = present;
      send('Fetch.fulfillRequest', {
        requestId,
        responseCode: status,
        responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
        body: Buffer.from(body).toString('base64'),
      }).catch((error: Error) => {
        // The page has gone on: nobody waits for the answer.
        if (!error.message.includes('Invalid InterceptionId')) {
          report(error.message);
        }
      });
    }
  });
  return async (urlPattern: string, interception: Interception | undefined): Promise<void> => {
    await send('Fetch.disable');
    if (interception !== undefined) {
      present = interception;
      await send('Fetch.enable', { patterns: [{ urlPattern }] });
    }
  };
}
