import type { Connection, mongo } from 'mongoose';
import { DatabaseAwayError } from './outage.ts';

/** Watches whether the database can be reached, so that callers do not wait too long. */
interface DatabaseReach {
  /**
   * Waits for `work`. Rejects with {@link DatabaseAwayError} once the database is away and `work` has taken a second or more;
   * `work` itself goes on until the driver gives up.
   */
  wait<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

interface Waiting {
  ticks: number;
  reject(error: Error): void;
}

const TICK_MS = 250;
/** Longer than the time between two heartbeats. */
const SILENCE_MS = 2_000;
/** A shorter wait goes on, because the database may be back by then. */
const SHORTEST_WAIT_TICKS = 4;

type Client = Pick<mongo.MongoClient, 'on' | 'off' | 'options'>;

/**
 * Listens to the driver's heartbeats and to commands that end. A killed database, a hanging one, and a replica set without a
 * primary look alike: for about three seconds no primary has answered `hello`, and no command has ended (a busy store may be
 * late with one of these and quick with the other). Commands have no time limit of their own, because a long command is no
 * sign of an outage, and calls may wait long for other things than the database.
 */
export function watchDatabase(connection: Pick<Connection, 'getClient'>): DatabaseReach {
  const client: Client = connection.getClient();
  const most = Math.ceil((client.options.heartbeatFrequencyMS + SILENCE_MS) / TICK_MS);
  const waiting = new Set<Waiting>();
  // It counts ticks, not time: when this process itself stood still, it has not read the database's answers yet.
  let silentTicks = 0;
  const ended = () => {
    silentTicks = 0;
  };
  const onHeartbeat = ({ reply }: mongo.ServerHeartbeatSucceededEvent) => {
    if (reply.isWritablePrimary === true || reply.ismaster === true || reply.msg === 'isdbgrid') {
      silentTicks = 0;
    }
  };
  client.on('serverHeartbeatSucceeded', onHeartbeat);
  client.on('connectionCheckedIn', ended);
  const timer = setInterval(() => {
    silentTicks += 1;
    const isAway = silentTicks > most;
    for (const one of waiting) {
      one.ticks += 1;
      if (isAway && one.ticks >= SHORTEST_WAIT_TICKS) {
        one.reject(new DatabaseAwayError());
      }
    }
  }, TICK_MS).unref();
  return {
    wait: (work) =>
      new Promise((resolve, reject) => {
        const one = { ticks: 0, reject };
        waiting.add(one);
        work()
          .finally(() => waiting.delete(one))
          .then(resolve, reject);
      }),
    close: () => {
      clearInterval(timer);
      client.off('serverHeartbeatSucceeded', onHeartbeat);
      client.off('connectionCheckedIn', ended);
    },
  };
}
