import type { AccountId } from '../../kernel/account.ts';
import type { Logger } from '../../kernel/log/log.ts';
import { createLoop, untilNextLook } from './loop.ts';
import { createOutage } from './outage.ts';
import { partitionOf } from './partitions.ts';
import type { EventReader, Place } from './reader.ts';
import { createTail, type Tail } from './tail.ts';
import type { Watcher } from './watcher.ts';

/** The tails of a process, one for each partition that it follows. */
export interface Tails extends Pick<Tail, 'add' | 'remove' | 'close'> {
  /** There may be newly numbered events, in any partition. */
  wake(): void;
  /** Partitions are numbered up to these places, by whichever process. */
  onNumbered(places: readonly Place[]): void;
}

interface TailsDeps {
  reader: Pick<EventReader, 'after' | 'heads'>;
  /** How many partitions the log has. */
  partitions: number;
  /** Calls {@link Tails.onNumbered} when numbers are given, here or in another process. */
  watcher: Watcher;
  log: Logger;
  /** How often to look without a wake signal, in milliseconds; a quarter as often while the change stream is open. */
  pollMs: number;
}

/**
 * Each partition is read by a tail of its own, with a pace of its own: a busy account delays no other partition's events. One
 * change stream and one poll of the heads wake them all.
 */
export function createTails({ reader, partitions, watcher, log, pollMs }: TailsDeps): Tails {
  const tails = new Map<number, Tail>();
  const outage = createOutage(log, 'tail');
  const onNumbered = (places: readonly Place[]) => {
    for (const { partition, seq } of places) {
      tails.get(partition)?.onNumbered(seq);
    }
  };
  const poll = createLoop({
    outage,
    step: async () => {
      const open = [...tails].filter(([, tail]) => tail.isOpen()).map(([partition]) => partition);
      if (open.length > 0) {
        onNumbered(await reader.heads(open));
      }
      return untilNextLook(pollMs, watcher);
    },
  });
  const tailOf = (accountId: AccountId): Tail => {
    const partition = partitionOf(accountId, partitions);
    const known = tails.get(partition);
    if (known !== undefined) {
      return known;
    }
    const tail = createTail({ reader, partition, outage });
    tails.set(partition, tail);
    return tail;
  };
  return {
    onNumbered,
    wake: () => poll.wake(),
    add: (follower, head) => {
      watcher.start();
      poll.start();
      return tailOf(follower.topic.accountId).add(follower, head);
    },
    remove: (follower) => tailOf(follower.topic.accountId).remove(follower),
    close: async () => {
      await Promise.all([poll.stop(), watcher.stop(), ...[...tails.values()].map((tail) => tail.close())]);
    },
  };
}
