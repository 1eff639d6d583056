import { BATCH_SIZE } from '../../subgraphs/runtime/events/batch.ts';
import { createPacing, WORK_PACE } from '../../subgraphs/runtime/events/pacing.ts';
import { PROCESS_ROLES } from './costs.ts';
import type { Server } from './server.ts';
import type { World } from './world.ts';

/** The shard that has the event log whole. */
const LOG = 0;
/** The pace of the stream of events, in the long run. */
const READ_MS = 250;
/** `PIPELINE_CONCURRENCY`. */
const MOST_AT_ONCE = 256;
/** A worker that reads an announcement looks for its work after up to this long (work-listener.ts). */
const LONGEST_DELAY_MS = 20;

/** Numbers the events of each partition in turns, with the product's pacing; workers divide the partitions. */
export function createNumbering(world: World): { add(partition: number, events: number): void } {
  const { clock, costs, pools, work, command } = world;
  const now = clock.now;
  const create = (partition: number) => {
    const pacing = createPacing(now);
    const holder = pools.worker[partition % pools.worker.length];
    let [pending, nextAt, isDue] = [0, 0, false];
    const turn = (): void => {
      const events = Math.min(pending, BATCH_SIZE);
      pending -= events;
      const isFull = events === BATCH_SIZE;
      nextAt = now() + pacing.count();
      const of = (key: 'worker' | 'store') => costs.turn[key] + events * costs.event[key];
      work(holder, of('worker'), () =>
        command(LOG, of('store'), costs.turn.commands, () => {
          world.written.commits += 1;
          isDue = false;
          if (pending > 0) {
            nextAt = isFull ? now() : nextAt;
            wake();
          }
        }),
      );
    };
    const wake = () => {
      if (!isDue) {
        isDue = true;
        clock.after(Math.max(nextAt - now(), 0), turn);
      }
    };
    return (events: number) => {
      pending += events;
      wake();
    };
  };
  const partitions = new Map<number, ReturnType<typeof create>>();
  return {
    add: (partition, events) => {
      world.written.events += events;
      const add = partitions.get(partition) ?? create(partition);
      partitions.set(partition, add);
      add(events);
    },
  };
}

/**
 * Work that its process has no lease of. Each worker reads all announcements, at its pace, and after a random delay takes what
 * none has taken yet, as far as it has room. A worker that ends work takes what is left.
 * @param perform does a piece of work in a worker, and says when it has ended
 */
export function createAnnouncements<Work>(
  world: World,
  perform: (work: Work, worker: Server, ended: () => void) => void,
): { add(work: Work): void } {
  const { clock, costs, draws } = world;
  const open: Work[] = [];
  let announced = 0;
  const createWorker = (server: Server) => {
    const pacing = createPacing(clock.now, WORK_PACE);
    let [underWay, read, nextAt, isDue] = [0, 0, 0, false];
    const take = () => {
      const next = underWay < MOST_AT_ONCE ? open.shift() : undefined;
      if (next !== undefined) {
        underWay += 1;
        perform(next, server, () => {
          underWay -= 1;
          take();
        });
        take();
      }
    };
    const look = () => {
      const notices = announced - read;
      read = announced;
      nextAt = clock.now() + pacing.count();
      const of = (key: 'worker' | 'store') => costs.look[key] + notices * costs.notice[key];
      world.command(LOG, of('store'), costs.look.commands, () =>
        clock.after(draws.uniform() * LONGEST_DELAY_MS, () =>
          world.work(server, of('worker'), () => {
            take();
            isDue = false;
            wake();
          }),
        ),
      );
    };
    const wake = () => {
      if (!isDue && read < announced) {
        isDue = true;
        clock.after(Math.max(nextAt - clock.now(), 0), look);
      }
    };
    return wake;
  };
  const workers = world.pools.worker.map(createWorker);
  return {
    add: (work) => {
      open.push(work);
      announced += 1;
      for (const wake of workers) {
        wake();
      }
    },
  };
}

/** The work of processes for themselves, and the stream by which each worker reads every event that anybody writes. */
export function startStreams(world: World): void {
  const { clock, costs, pools, work, command, draws, written } = world;
  const idleStore = 1 / PROCESS_ROLES.length;
  const part = READ_MS / 1000;
  for (const role of PROCESS_ROLES) {
    for (const server of pools[role]) {
      let read = 0;
      const tick = () => {
        const events = role === 'worker' ? written.events - read : 0;
        read = written.events;
        work(server, costs.idle[role] * part + events * costs.watch.worker);
        const store = costs.idle.store * idleStore * part + events * costs.watch.store;
        command(LOG, store, costs.idle.commands * idleStore * part);
        clock.after(READ_MS, tick);
      };
      clock.after(draws.uniform() * READ_MS, tick);
    }
  }
}
