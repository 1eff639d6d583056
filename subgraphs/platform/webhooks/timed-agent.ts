import { Agent, type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import { fieldOf } from '../objects.ts';
import { Stopwatch } from './attempt-timing.ts';
import type { TimedConnector } from './connector.ts';

/**
 * An agent that times its requests: a request with a {@link Stopwatch} as its `opaque` gets the time of its connection. A
 * pool gives each request to a client with its own connection, one request at a time, so that client knows for which request
 * it connects.
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
  /** The stopwatch of the client's current request. */
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
