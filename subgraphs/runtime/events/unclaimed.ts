import type { Logger } from '../../kernel/log/log.ts';
import { createLoop, type Loop } from './loop.ts';
import { createOutage } from './outage.ts';
import type { EventReader, UnclaimedWork } from './reader.ts';

interface UnclaimedPollDeps {
  readonly reader: Pick<EventReader, 'heads' | 'unclaimed'>;
  /** The partitions of the log: all of them. */
  readonly partitions: readonly number[];
  readonly log: Logger;
  /** Milliseconds between two looks. */
  readonly pollMs: number;
  onWork(work: readonly UnclaimedWork[]): void;
}

/**
 * Looks for work without a lease in the numbered log, from its present end on: for a mongos, whose change stream is late. Work
 * that the change stream reports too comes twice, which costs its listener a look.
 */
export function createUnclaimedPoll({ reader, partitions, log, pollMs, onWork }: UnclaimedPollDeps): Loop {
  const positions = new Map<number, number>();
  let isFirst = true;
  const step = async (): Promise<number> => {
    const heads = await reader.heads(partitions);
    const from = (partition: number) => positions.get(partition) ?? 0;
    // After a failover a head may be lower for a while.
    const grown = heads.filter(({ partition, seq }) => seq > from(partition));
    if (grown.length > 0 && !isFirst) {
      const spans = grown.map(({ partition, seq }) => ({ partition, from: from(partition), to: seq }));
      const found = await reader.unclaimed(spans);
      if (found.length > 0) {
        onWork(found);
      }
    }
    isFirst = false;
    for (const { partition, seq } of grown) {
      positions.set(partition, seq);
    }
    return pollMs;
  };
  return createLoop({ step, outage: createOutage(log, 'unclaimed') });
}
