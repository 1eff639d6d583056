import { MOST_PARTITIONS } from '../../kernel/config/work-settings.ts';
import type { RunTransaction } from '../../kernel/database/transaction.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { groupItems } from '../../kernel/objects.ts';
import { countNumbered } from './log-status.ts';
import { EVENT_LOG, type EventHeadDocument, type EventModels } from './model.ts';
import { partitionOf, partitionsOf } from './partitions.ts';

/** The most events without a number that are moved to their new partitions. A server numbers more of them within seconds. */
const MOST_UNNUMBERED = 5_000;

interface RepartitionDeps {
  readonly models: EventModels;
  readonly transaction: RunTransaction;
  /** Servers that have reported lately, such as `worker on host-1`. */
  runningServers(): Promise<readonly string[]>;
}

/**
 * Divides the log into another number of partitions, in one transaction. Numbers continue after the greatest one of all
 * partitions, so cursors stay valid and each account's events keep their order; numbered events stay where they are.
 * @returns how many partitions there were
 * @throws OperatorError while a server runs, whose writes would go to the former partitions, or while too many events have no
 *   number
 */
export async function repartition(
  { models, transaction, runningServers }: RepartitionDeps,
  count: number,
): Promise<number> {
  if (!(Number.isSafeInteger(count) && count >= 1 && count <= MOST_PARTITIONS)) {
    throw new OperatorError(`--count must be a whole number from 1 to ${MOST_PARTITIONS}.`);
  }
  const running = await runningServers();
  if (running.length > 0) {
    throw new OperatorError(
      `Stop all servers first: ${running.join(', ')}. Each of them writes events to the partitions that there are now.`,
    );
  }
  return transaction(async (unit) => {
    const { session } = unit;
    const log = await models.log.findById(EVENT_LOG).session(session).lean();
    if (log === null) {
      throw new OperatorError(
        'There is no event log yet: the first start makes it, with EVENT_LOG_PARTITIONS.',
      );
    }
    if (log.partitions === count) {
      return count;
    }
    const heads = await models.heads.find().session(session).lean();
    const unnumbered = await models.events
      .find({ pending: true }, { accountId: 1 })
      .limit(MOST_UNNUMBERED + 1)
      .session(session)
      .lean();
    if (unnumbered.length > MOST_UNNUMBERED) {
      throw new OperatorError(
        `More than ${MOST_UNNUMBERED} events have no number yet. Start a worker, wait until it has numbered them, and stop it.`,
      );
    }
    const last = lastOf(heads);
    unit.update(models.log, {
      filter: { _id: EVENT_LOG, revision: log.revision },
      update: {
        $set: {
          partitions: count,
          startsAfter: last.lastSeq,
          numberedBefore: countNumbered(log, heads),
          revision: log.revision + 1,
          processes: [],
          holders: partitionsOf(count).map(() => null),
        },
      },
      otherwise: () => new OperatorError('A server has started meanwhile. Stop it, and try again.'),
    });
    for (const { _id } of heads) {
      unit.remove(models.heads, { _id });
    }
    unit.insert(
      models.heads,
      partitionsOf(count).map((_id) => ({ ...last, _id })),
    );
    const moved = groupItems(unnumbered, ({ accountId }) => partitionOf(accountId, count));
    for (const [partition, events] of moved) {
      unit.updateMany(models.events, {
        filter: { _id: { $in: events.map(({ _id }) => _id) }, pending: true },
        update: { $set: { partition } },
        expected: events.length,
        otherwise: () => new OperatorError('A server has started meanwhile. Stop it, and try again.'),
      });
    }
    return log.partitions;
  });
}

/** The end of all partitions: no number, term or time of theirs is later. */
function lastOf(heads: readonly EventHeadDocument[]): Omit<EventHeadDocument, '_id'> {
  const greatest = (values: readonly number[]) => Math.max(0, ...values);
  return {
    lastSeq: greatest(heads.map(({ lastSeq }) => lastSeq)),
    term: greatest(heads.map(({ term }) => term)),
    keptUntil: new Date(greatest(heads.map(({ keptUntil }) => keptUntil.getTime()))),
  };
}
