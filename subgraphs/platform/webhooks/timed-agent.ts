import { Agent, type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import { fieldOf } from '../objects.ts';
import { Stopwatch } from './attempt-timing.ts';
import type { TimedConnector } from './connector.ts';

/**
 * An agent whose requests are timed: a request that has a {@link Stopwatch} as its `opaque` finds on it how long its
 * connection took to make. A pool gives each request to a client with a connection of its own, one request at a time, so
 * that client knows which request it connects for.
 */
export function createTimedAgent(connect: TimedConnector, options: Omit<Agent.Options, 'connect'>): Agent {
  const toClient = (origin: URL, clientOptions: object) => new TimedClient(origin, clientOptions, connect);
  return new Agent({
    ...options,
    pipelining: 1,
    connect,
    factory: (origin, poolOptions) => new Pool(origin, { ...poolOptions, factory: toClient }),
  });
}

class TimedClient extends Client {
  /** Of the request that has the client. */
  #watch: Stopwatch | undefined;

  constructor(origin: URL, options: Client.Options, connect: TimedConnector) {
    const timed: buildConnector.connector = (target, callback) => connect(target, callback, this.#watch);
    super(origin, { ...options, connect: timed });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const opaque = fieldOf(options, 'opaque');
    this.#watch = opaque instanceof Stopwatch ? opaque : undefined;
    return super.dispatch(options, handler);
  }
}
