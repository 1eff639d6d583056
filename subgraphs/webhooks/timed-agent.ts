import { Agent, type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import { removeInterimAnswers } from '../kernel/http/interim-answers.ts';
import { fieldOf } from '../kernel/objects.ts';
import { Stopwatch } from './attempt-timing.ts';
import type { TimedConnector } from './connector.ts';

/**
 * An agent that times its requests: a request with a {@link Stopwatch} as its `opaque` gets the time of its connection, and
 * the status of its answer as soon as the status line has arrived. Interim answers are skipped. A
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
  #expectAnswer: () => void = () => undefined;

  constructor(origin: URL, options: Client.Options, connect: TimedConnector) {
    const timed: buildConnector.connector = (target, callback) => {
      const onMade: buildConnector.Callback = (...made) => {
        if (made[0] === null) {
          this.#expectAnswer = removeInterimAnswers(made[1], (statusCode) =>
            this.#watch?.answers(statusCode),
          );
        }
        callback(...made);
      };
      connect(target, onMade, this.#watch);
    };
    super(origin, { ...options, connect: timed });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const opaque = fieldOf(options, 'opaque');
    this.#watch = opaque instanceof Stopwatch ? opaque : undefined;
    this.#expectAnswer();
    return super.dispatch(options, handler);
  }
}
