import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../bench/processes.ts';
import { exchangeWith } from '../../support/http.ts';
import { type ServerProcess, startServerProcess } from '../../support/server-process.ts';
import type { CallKind, Calls } from './payments.ts';

/** Servers on one database, which are killed and started again. */
export interface Servers extends Calls {
  /** Starts those that do not run. */
  start(): Promise<void>;
  /**
   * Kills servers with SIGKILL at random moments and starts them again, each on its own, until there are so many kills or the deadline.
   * @param mayKill whether the next one may come, after so many
   * @returns for each kill, the calls that were under way at the server
   */
  kill(kills: number, deadline: number, mayKill: (kills: number) => boolean): Promise<CallKind[][]>;
  /** Ends them gracefully. @throws when one does not end by itself */
  stop(): Promise<void>;
}

/** Longest life of a server that is ready, milliseconds: long enough for its jobs to begin, and short enough to end within them. */
const LONGEST_LIFE_MS = 2_500;
const LOOK_MS = 50;

interface Place {
  readonly url: string;
  readonly underWay: Map<symbol, CallKind>;
  readonly env: Readonly<Record<string, string>>;
  process?: ServerProcess | undefined;
}

export async function openServers(env: Readonly<Record<string, string>>, count: number): Promise<Servers> {
  const places = await Promise.all(
    Array.from({ length: count }, async (): Promise<Place> => {
      const port = String(await freePort());
      return { url: `http://127.0.0.1:${port}`, underWay: new Map(), env: { ...env, PORT: port } };
    }),
  );
  const start = async (place: Place) => {
    place.process ??= await startServerProcess(place.env);
    return place.process;
  };
  let turn = 0;
  return {
    internalKey: String(env.INTERNAL_API_KEY),
    // To one of them, in turn.
    send: async (kind, request) => {
      turn += 1;
      const { url, underWay } = places[turn % places.length] as Place;
      const id = Symbol();
      underWay.set(id, kind);
      try {
        return await exchangeWith(url)(request);
      } finally {
        underWay.delete(id);
      }
    },
    start: async () => {
      await Promise.all(places.map(start));
    },
    kill: async (kills, deadline, mayKill) => {
      const killed: CallKind[][] = [];
      const killOne = async (place: Place) => {
        while (killed.length < kills && Date.now() < deadline) {
          const server = await start(place);
          await delay(randomInt(LONGEST_LIFE_MS));
          while (!mayKill(killed.length) && Date.now() < deadline) {
            await delay(LOOK_MS);
          }
          if (killed.length < kills) {
            killed.push([...place.underWay.values()]);
            await server.kill('SIGKILL');
            place.process = undefined;
          }
        }
      };
      await Promise.all(places.map(killOne));
      return killed;
    },
    stop: async () => {
      const running = places.flatMap(({ process }) => process ?? []);
      for (const place of places) {
        place.process = undefined;
      }
      const ends = await Promise.all(running.map((server) => server.kill('SIGTERM')));
      const wrong = ends.find(({ code }) => code !== 0);
      if (wrong) {
        throw new Error(`A server ended with ${wrong.code ?? wrong.signal}`);
      }
    },
  };
}
