import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ENVIRONMENTS, type Environment } from '../../subgraphs/kernel/account.ts';
import { keysOf } from '../../subgraphs/kernel/objects.ts';
import { URL_SETTINGS } from '../../subgraphs/providers/configured.ts';

/** The behaviour of a provider, by the path that it listens on. */
export type Service = 'identity' | 'cards' | 'ubn' | 'funding';

/** A path that is called: a provider's, or that of the withdrawals of requests to payers. */
export type CalledService = Service | 'funding/cancel';

/** A request as a provider got it. */
export interface ProviderRequest {
  readonly service: CalledService;
  /** `Idempotency-Key`, percent-encoding undone; empty where there is none: screening changes nothing. */
  readonly key: string;
  /** The exact text. Its content distinguishes the calls: a test sends no two that are the same. */
  readonly body: string;
  /** `traceparent`, if it was sent. */
  readonly traceparent: string | undefined;
  /** The how-manieth for this service and body, from 1. */
  readonly nth: number;
  /** Whether the client still waits for the answer. */
  isOpen(): boolean;
}

type Answer = object | typeof UNAVAILABLE;

/** The behaviour of providers for requests. */
export interface Behaviour {
  /** Whether a key that was seen before is answered as it was then, and nothing is done. */
  readonly deduplicates: boolean;
  /** Their answers with status 200, or {@link UNAVAILABLE}; by default they accept. */
  answer?(request: ProviderRequest): Answer | Promise<Answer>;
}

/**
 * The conditions to wait for before a provider takes a request (`received`), and before it answers (`answering`): there
 * {@link BREAK_OFF} has it break the connection off.
 */
type Hold = (request: ProviderRequest, when: 'received' | 'answering') => Promise<unknown> | undefined;

/** The four providers of the pipeline, played by one HTTP server. */
export interface ProviderServer {
  /** Settings that make a process call these providers, for sandbox and live calls. */
  readonly env: Readonly<Record<string, string>>;
  /** Those of them that are for calls in one environment. */
  envOf(environment: Environment): Readonly<Record<string, string>>;
  readonly received: readonly ProviderRequest[];
  /** The calls that were done, in order: the same service and body twice is the same call done twice. */
  readonly done: readonly ProviderRequest[];
  /** From now on; without a wait by default. */
  hold(hold: Hold): void;
  /** Breaks all connections off, as a provider does that is started again. */
  breakOff(): void;
  close(): Promise<void>;
}

const ACCEPTS: Readonly<Record<CalledService, object>> = {
  identity: { result: 'clear' },
  cards: { result: 'accepted' },
  ubn: { result: 'accepted' },
  funding: { result: 'accepted' },
  'funding/cancel': { result: 'cancelled' },
};

/** Never resolves: what is held with it is held until its process is gone. */
export const FOREVER = new Promise<never>(() => undefined);

export const BREAK_OFF = Symbol('break off');

/** In the place of an answer: 503, and nothing is done. */
export const UNAVAILABLE = Symbol('unavailable');

export async function startProviders({ deduplicates, answer }: Behaviour): Promise<ProviderServer> {
  const received: ProviderRequest[] = [];
  const done: ProviderRequest[] = [];
  const answers = new Map<string, object>();
  let hold: Hold = () => undefined;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const one = await readRequest(request, response, received);
    received.push(one);
    await hold(one, 'received');
    const known = deduplicates && one.key ? answers.get(`${one.service} ${one.key}`) : undefined;
    const result = known ?? (await answer?.(one)) ?? ACCEPTS[one.service];
    if (result === UNAVAILABLE) {
      response.writeHead(503).end();
      return;
    }
    if (!known) {
      done.push(one);
      answers.set(`${one.service} ${one.key}`, result);
    }
    if ((await hold(one, 'answering')) === BREAK_OFF) {
      response.destroy();
      return;
    }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(result));
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const envOf = (environment: Environment): Record<string, string> =>
    Object.fromEntries(
      keysOf(URL_SETTINGS).map((service) => [URL_SETTINGS[service][environment], `${base}/${service}`]),
    );
  return {
    env: Object.assign({}, ...ENVIRONMENTS.map(envOf)),
    envOf,
    received,
    done,
    hold: (next) => {
      hold = next;
    },
    breakOff: () => server.closeAllConnections(),
    close: () => close(server),
  };
}

async function readRequest(
  request: IncomingMessage,
  response: ServerResponse,
  before: readonly ProviderRequest[],
): Promise<ProviderRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  const service = String(request.url).slice(1) as CalledService;
  const body = Buffer.concat(chunks).toString();
  return {
    service,
    key: decodeURIComponent(request.headers['idempotency-key']?.toString() ?? ''),
    body,
    traceparent: request.headers.traceparent?.toString(),
    nth: 1 + before.filter((one) => one.service === service && one.body === body).length,
    isOpen: () => !response.destroyed && !response.writableEnded,
  };
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
