import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Order, Word, WorkerSettings } from './orders.ts';

const PROGRAM = 'test/support/webhook-worker/main.js';

/** A process with a webhook engine. */
export interface WebhookWorker {
  readonly pid: number;
  order(order: Order): void;
  /** Sends an order, and waits for the next word of a kind. @throws when the process ends first */
  request<Kind extends Word['kind']>(order: Order, kind: Kind): Promise<Extract<Word, { kind: Kind }>>;
  /** Sends every report to a listener. */
  listen(listener: (word: Word) => void): void;
  /** The next word of a kind. @throws when the process ends first */
  next<Kind extends Word['kind']>(kind: Kind): Promise<Extract<Word, { kind: Kind }>>;
  /** The signal that ended it, or else its exit code. */
  readonly ended: Promise<NodeJS.Signals | number | null>;
  signal(signal: NodeJS.Signals): void;
  /** The lines that it has written to its journal so far, line by line. */
  journal(): readonly Readonly<Record<string, unknown>>[];
}

/**
 * Starts one, and waits until it is connected to its database.
 * @param program another one of dist/ that obeys the same orders
 */
export async function startWebhookWorker(
  settings: WorkerSettings,
  program = PROGRAM,
  env: Readonly<Record<string, string>> = {},
): Promise<WebhookWorker> {
  const { PATH = '', HOME = '' } = process.env;
  const child = fork(join(resolve('dist'), program), [], {
    env: { ...env, PATH, HOME, WEBHOOK_WORKER: JSON.stringify(settings) },
    execArgv: ['--enable-source-maps'],
    serialization: 'advanced',
  });
  const worker = follow(child, settings);
  await worker.next('ready');
  return worker;
}

function follow(child: ChildProcess, settings: WorkerSettings): WebhookWorker {
  const listeners = new Set<(word: Word) => void>();
  child.on('message', (word: Word) => {
    for (const listener of listeners) {
      listener(word);
    }
  });
  const ended = new Promise<NodeJS.Signals | number | null>((done, failed) => {
    child.once('error', failed);
    child.once('exit', (code, signal) => done(signal ?? code));
  });
  const next: WebhookWorker['next'] = (kind) =>
    new Promise((received, failed) => {
      const listener = (word: Word) => {
        if (word.kind === kind) {
          listeners.delete(listener);
          received(word as never);
        }
      };
      listeners.add(listener);
      void ended.then((end) => failed(new Error(`A worker ended (${end}) that was to say ${kind}`)), failed);
    });
  // A killed process gets no more messages.
  const order: WebhookWorker['order'] = (one) => void (child.connected && child.send(one, () => undefined));
  return {
    pid: Number(child.pid),
    order,
    next,
    request: (one, kind) => {
      const answer = next(kind);
      order(one);
      return answer;
    },
    listen: (listener) => void listeners.add(listener),
    ended,
    signal: (signal) => void child.kill(signal),
    journal: () => (settings.journal === undefined ? [] : readJournal(settings.journal)),
  };
}

/** Empty for a process that has not come to write any. */
function readJournal(path: string): Readonly<Record<string, unknown>>[] {
  if (!existsSync(path)) {
    return [];
  }
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
