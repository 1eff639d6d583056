import { type ChildProcess, fork } from 'node:child_process';
import type { CrowdOrder, CrowdWord, Taken } from './crowd-words.ts';

/** Many clients in a process of their own. */
export interface Crowd {
  open(order: Omit<Extract<CrowdOrder, { kind: 'open' }>, 'kind'>): Promise<void>;
  poll(order: Omit<Extract<CrowdOrder, { kind: 'poll' }>, 'kind'>): Promise<void>;
  take(): Promise<Taken>;
  close(): Promise<void>;
  stop(): void;
}

/** Starts one. @throws from each call when its process has ended */
export async function startCrowd(): Promise<Crowd> {
  const child = fork('dist/test/bench/subscriptions/crowd.js', [], {
    env: { PATH: process.env.PATH ?? '' },
    serialization: 'advanced',
  });
  child.setMaxListeners(0);
  await next(child, 'ready');
  const ask = <Kind extends CrowdWord['kind']>(order: CrowdOrder, kind: Kind) => {
    const answer = next(child, kind);
    child.send(order);
    return answer;
  };
  return {
    open: async (order) => void (await ask({ kind: 'open', ...order }, 'opened')),
    poll: async (order) => void (await ask({ kind: 'poll', ...order }, 'polling')),
    take: () => ask({ kind: 'take' }, 'taken'),
    close: async () => void (await ask({ kind: 'close' }, 'closed')),
    stop: () => void child.kill('SIGKILL'),
  };
}

function next<Kind extends CrowdWord['kind']>(
  child: ChildProcess,
  kind: Kind,
): Promise<Extract<CrowdWord, { kind: Kind }>> {
  return new Promise((received, failed) => {
    const end = () => {
      child.off('message', listener);
      child.off('exit', gone);
    };
    const listener = (word: CrowdWord) => {
      if (word.kind === kind) {
        end();
        received(word as Extract<CrowdWord, { kind: Kind }>);
      }
    };
    const gone = (code: number | null) => {
      end();
      failed(new Error(`The clients' process ended (${code}) that was to say ${kind}`));
    };
    child.on('message', listener);
    child.once('exit', gone);
  });
}
