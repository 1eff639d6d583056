import { AsyncLocalStorage } from 'node:async_hooks';
import { isDeepStrictEqual } from 'node:util';
import mongoose, { type Connection } from 'mongoose';
import { createSendWrites } from '../../../subgraphs/kernel/database/send-writes.ts';
import { createTransactions, type RunTransaction } from '../../../subgraphs/kernel/database/transaction.ts';
import { createUnitOfWork, type OpenUnitOfWork } from '../../../subgraphs/kernel/database/unit-of-work.ts';
import type {
  NewOperatorEntry,
  Operator,
  OperatorLog,
} from '../../../subgraphs/partners/operator-log/index.ts';
import { createOperatorLogModel } from '../../../subgraphs/partners/operator-log/model.ts';

/** The change that a command has made, for the operators' log. */
export type Act = Omit<NewOperatorEntry, keyof Operator | 'act'>;

/** An answer that may have a change. */
interface Acted {
  readonly act?: Act;
}

/** Runs commands that change something, each with its entry in the operators' log. */
export interface Acts {
  /** For the services of commands: within {@link Acts.record} they write in its transaction. */
  readonly transaction: RunTransaction;
  /**
   * Runs a command in one transaction with its entry, so that there is neither without the other. An answer without an act has
   * no entry, and neither has one whose state after the act is that before it: such as a command that is repeated because its
   * answer was lost.
   */
  record<Answer extends Acted>(command: string, by: Operator, run: () => Promise<Answer>): Promise<Answer>;
}

const SNAPSHOT = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true },
} as const;

export function createActs(connection: Connection, log: Pick<OperatorLog, 'append'>): Acts {
  // Models of this process take part in the transaction that they are called in.
  mongoose.set('transactionAsyncLocalStorage', true);
  const open = new AsyncLocalStorage<OpenUnitOfWork>();
  const ownTransaction = createTransactions(connection);
  const send = createSendWrites(connection, {});
  const model = createOperatorLogModel(connection);
  return {
    transaction: async (work, ...options) => {
      const unit = open.getStore();
      if (unit === undefined) {
        return ownTransaction(work, ...options);
      }
      const value = await work(unit);
      await unit.finish();
      return value;
    },
    record: (command, by, run) =>
      connection.transaction(async (session) => {
        const unit = createUnitOfWork(session, () => undefined, send);
        // The first command of a transaction runs alone: it begins the transaction.
        await model.exists({ _id: '' }).session(session);
        const answer = await open.run(unit, run);
        if (answer.act && isChange(answer.act)) {
          log.append({ ...by, act: command, ...answer.act }, unit);
        }
        await unit.finish();
        return answer;
      }, SNAPSHOT),
  };
}

function isChange({ before, after }: Act): boolean {
  const plain = (state: Act['before']): unknown => JSON.parse(JSON.stringify(state ?? {}));
  return before === undefined || !isDeepStrictEqual(plain(before), plain(after));
}
