import { jestExpect } from '@jest/expect';

/** Process-wide listeners that would go on acting on the files that follow. */
const WATCHED_EVENTS = /^(SIG|uncaughtException|unhandledRejection|rejectionHandled|message|disconnect)/;
/** Keys of `globalThis` by which libraries find themselves again; some set them when they are first used. */
const LIBRARY_KEYS = /^(__[a-z]|TypeGraphQLMetadataStorage$|Symbol\((undici|opentelemetry)\.)/;

type Listener = (...args: unknown[]) => void;

/** The state of the whole process, and so of every file that runs in it. */
export interface ProcessState {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly keys: ReadonlySet<PropertyKey>;
  readonly matchers: ReadonlySet<string>;
  readonly listeners: ReadonlyMap<string | symbol, readonly Listener[]>;
}

/** Before a test file is imported. */
export function readProcessState(): ProcessState {
  return {
    env: { ...process.env },
    cwd: process.cwd(),
    keys: globalKeys(),
    matchers: new Set(Object.keys(jestExpect)),
    listeners: new Map(watchedEvents().map((event) => [event, listenersOf(event)])),
  };
}

/** Once the file is imported: what its modules have set in `globalThis` is theirs, and they stay. */
export function withModules(before: ProcessState): ProcessState {
  return { ...before, keys: globalKeys() };
}

/**
 * After a test file: makes the process as it was, for the next.
 * @returns the changes that the file has to undo itself: globals and matchers that it leaves behind, listeners that it leaves or
 * has removed
 */
export function restoreProcessState(before: ProcessState): string[] {
  restoreEnv(before.env);
  process.chdir(before.cwd);
  return [
    ...removeListeners(before),
    ...addListeners(before),
    ...removeGlobals(before),
    ...findMatchers(before),
  ];
}

function restoreEnv(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) {
    if (env[name] === undefined) {
      delete process.env[name];
    }
  }
  for (const [name, value] of Object.entries(env)) {
    if (process.env[name] !== value) {
      process.env[name] = value;
    }
  }
}

function removeListeners({ listeners }: ProcessState): string[] {
  return watchedEvents().flatMap((event) => {
    const left = listenersOf(event).filter((one) => !listeners.get(event)?.includes(one));
    for (const listener of left) {
      process.removeListener(event, listener);
    }
    return left.length === 0 ? [] : [`${left.length} listener(s) of process to ${String(event)}`];
  });
}

/** Without its own listeners the process gets neither errors nor messages of its parent any more. */
function addListeners({ listeners }: ProcessState): string[] {
  return [...listeners].flatMap(([event, before]) => {
    const now = listenersOf(event);
    const removed = before.filter((one) => !now.includes(one));
    for (const listener of removed) {
      process.on(event, listener);
    }
    return removed.length === 0 ? [] : [`${removed.length} listener(s) fewer of process to ${String(event)}`];
  });
}

function removeGlobals({ keys }: ProcessState): string[] {
  const left = Reflect.ownKeys(globalThis).filter((key) => !keys.has(key) && !LIBRARY_KEYS.test(String(key)));
  for (const key of left) {
    Reflect.deleteProperty(globalThis, key);
  }
  return left.map((key) => `globalThis[${String(key)}]`);
}

function findMatchers({ matchers }: ProcessState): string[] {
  return Object.keys(jestExpect)
    .filter((name) => !matchers.has(name))
    .map((name) => `the matcher ${name}`);
}

function globalKeys(): Set<PropertyKey> {
  return new Set(Reflect.ownKeys(globalThis));
}

function watchedEvents(): (string | symbol)[] {
  return process.eventNames().filter((event) => WATCHED_EVENTS.test(String(event)));
}

/** As they were registered: one of `once` is its wrapper. */
function listenersOf(event: string | symbol): Listener[] {
  return process.rawListeners(event as 'exit') as Listener[];
}
