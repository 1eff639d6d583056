/** One call as its server sees it. */
interface FakeCall {
  readonly headers: Headers;
  readonly body: { readonly query: string; readonly variables?: Readonly<Record<string, unknown>> };
  readonly init: RequestInit;
  /** Whether the client has given it up. */
  isAborted(): boolean;
  answer(response: Response): void;
  /** Answers with JSON. */
  json(value: unknown, init?: ResponseInit): void;
  /** Answers with an event stream, which is written by what it returns. */
  stream(): { write(text: string): void; end(): void; fail(): void; isCancelled(): boolean };
  /** There is no connection. */
  fail(): void;
}

/** Calls that a client makes. */
interface FakeHttp {
  readonly fetch: typeof fetch;
  readonly calls: readonly FakeCall[];
  last(): FakeCall;
}

/** Makes a runtime whose calls lead to the test. */
export function createFakeHttp(): FakeHttp {
  const calls: FakeCall[] = [];
  const take: typeof fetch = (_url, init = {}) =>
    new Promise((resolve, reject) => {
      const { signal } = init;
      calls.push(createFakeCall(init, resolve, reject));
      const abort = () => reject(signal?.reason);
      if (signal?.aborted) {
        abort();
      }
      // biome-ignore lint/plugin: an aborted signal is dealt with above, as fetch does.
      signal?.addEventListener('abort', abort);
    });
  return { fetch: take, calls, last: () => calls.at(-1) as FakeCall };
}

function createFakeCall(
  init: RequestInit,
  answer: (response: Response) => void,
  reject: (error: unknown) => void,
): FakeCall {
  return {
    headers: new Headers(init.headers),
    body: JSON.parse(String(init.body)),
    init,
    isAborted: () => init.signal?.aborted ?? false,
    answer,
    json: (value, responseInit) => answer(Response.json(value, responseInit)),
    fail: () => reject(new TypeError('fetch failed')),
    stream() {
      let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
      let isCancelled = false;
      const body = new ReadableStream<Uint8Array>({
        start(given) {
          controller = given;
        },
        cancel() {
          isCancelled = true;
        },
      });
      const { signal } = init;
      // biome-ignore lint/plugin: fetch breaks off the body of an aborted call.
      signal?.addEventListener('abort', () => isCancelled || controller?.error(signal.reason));
      answer(new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } }));
      return {
        write: (text) => controller?.enqueue(new TextEncoder().encode(text)),
        end: () => controller?.close(),
        fail: () => controller?.error(new TypeError('terminated')),
        isCancelled: () => isCancelled,
      };
    },
  };
}
