import type { Logger } from '../../kernel/log/log.ts';
import { createLoop, type Loop } from './loop.ts';
import { createOutage } from './outage.ts';
import type { EventReader, UnclaimedWork } from './reader.ts';

interface UnclaimedPollDeps {
  readonly reader: Pick<EventReader, 'head' | 'unclaimed'>;
  readonly log: Logger;
  /** Milliseconds between two looks. */
  readonly pollMs: number;
  onWork(work: readonly UnclaimedWork[]): void;
}

/**
 * Looks for work without a lease in the numbered log, from its present end on: for a mongos, whose change stream is late. Work
 * that the change stream reports too comes twice, which costs its listener a look.
 */
export function createUnclaimedPoll({ reader, log, pollMs, onWork }: UnclaimedPollDeps): Loop {
  let position: number | undefined;
  const step = async (): Promise<number> => {
    const head = await reader.head();
    // After a failover the head may be lower for a while.
    if (position !== undefined && head > position) {
      const found = await reader.unclaimed(position, head);
      if (found.length > 0) {
        onWork(found);
      }
    }
    position = Math.max(position ?? 0, head);
    return pollMs;
  };
  return createLoop({ step, outage: createOutage(log, 'unclaimed') });
}
