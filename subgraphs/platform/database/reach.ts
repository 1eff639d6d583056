import type { Connection, mongo } from 'mongoose';
import { DatabaseAwayError } from './outage.ts';

/** Whether the database can be reached, and a way not to wait for it too long. */
export interface DatabaseReach {
  /**
   * What `work` comes to. Rejects with {@link DatabaseAwayError} once the database is away and `work` has taken a second or
   * more; `work` itself goes on until the driver gives it up.
   */
  wait<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

interface Waiting {
  ticks: number;
  reject(error: Error): void;
}

const TICK_MS = 250;
/** Beyond the time between two heartbeats. */
const SILENCE_MS = 2_000;
/** A shorter wait is not given up: the database may be back by then. */
const SHORTEST_WAIT_TICKS = 4;

type Client = Pick<mongo.MongoClient, 'on' | 'off' | 'options'>;

/**
 * Listens to the driver's heartbeats and to commands that end. A killed database, one that hangs, and a replica set without a
 * primary are alike: for about three seconds no primary has answered `hello`, and no command has ended either (a store that
 * is busy may be late with the one and quick with the other). Commands have no limit of their own, for one that takes long
 * is no sign of an outage, and calls may wait long for others than the database.
 */
export function watchDatabase(connection: Pick<Connection, 'getClient'>): DatabaseReach {
  const client: Client = connection.getClient();
  const most = Math.ceil((client.options.heartbeatFrequencyMS + SILENCE_MS) / TICK_MS);
  const waiting = new Set<Waiting>();
  // Ticks, not time: where this process itself stood still, the database's answers have not been read yet.
  let silentTicks = 0;
  const ended = () => {
    silentTicks = 0;
  };
  const heard = ({ reply }: mongo.ServerHeartbeatSucceededEvent) => {
    if (reply.isWritablePrimary === true || reply.ismaster === true || reply.msg === 'isdbgrid') {
      silentTicks = 0;
    }
  };
  client.on('serverHeartbeatSucceeded', heard);
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
      client.off('serverHeartbeatSucceeded', heard);
      client.off('connectionCheckedIn', ended);
    },
  };
}
