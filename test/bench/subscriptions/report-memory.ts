/**
 * Loaded before a server of `npm run bench:subscriptions`: at SIGUSR2 it collects all garbage and reports to its parent the memory that
 * is left, and what else the process holds. Nothing of it runs otherwise, unless `REPORT_LISTENERS` is set: then it also
 * follows who has listeners, and reports how many there are.
 */
import { EventEmitter, getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

type Target = EventEmitter | EventTarget;
const known = new WeakSet<Target>();
const targets = new Set<WeakRef<Target>>();

function follow(target: Target): void {
  if (!known.has(target)) {
    known.add(target);
    targets.add(new WeakRef(target));
  }
}

function followAll(): void {
  for (const method of ['on', 'addListener'] as const) {
    const add = EventEmitter.prototype[method];
    EventEmitter.prototype[method] = function (this: EventEmitter, name, listener) {
      follow(this);
      return add.call(this, name, listener);
    };
  }
  const { addEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (this: EventTarget, ...listener) {
    follow(this);
    addEventListener.apply(this, listener);
  };
}

/** Listeners of all emitters, and of `abort` of all signals, that are still there. */
function countListeners(): number {
  let listeners = 0;
  for (const reference of targets) {
    const target = reference.deref();
    if (target === undefined) {
      targets.delete(reference);
    } else if (target instanceof EventEmitter) {
      listeners += target.eventNames().reduce((sum, name) => sum + target.listenerCount(name), 0);
    } else {
      listeners += getEventListeners(target, 'abort').length;
    }
  }
  return listeners;
}

/** How many of each kind. */
function countKinds(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) {
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

const reportsListeners = process.env.REPORT_LISTENERS !== undefined;
if (reportsListeners) {
  followAll();
}
process.on('SIGUSR2', () => {
  collect();
  collect();
  const [memory, held] = [process.memoryUsage(), countKinds()];
  const listeners = reportsListeners ? { listeners: countListeners() } : {};
  process.send?.({ kind: 'memory', ...memory, held: { ...held, ...listeners } });
});
