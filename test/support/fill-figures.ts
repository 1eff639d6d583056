import type { Connection } from 'mongoose';
import { toDocument } from '../../subgraphs/kernel/database/document.ts';
import { createTransactions } from '../../subgraphs/kernel/database/transaction.ts';
import { createOperationModels, type OperationDocument } from '../../subgraphs/operations/store/model.ts';
import { figureOfMove } from '../../subgraphs/operations/use-cases/operation-figure.ts';
import { countEvents } from '../../subgraphs/runtime/events/figures.ts';
import { createEventModels } from '../../subgraphs/runtime/events/model.ts';

/** Operations that are counted in one transaction. */
const BATCH = 2_000;
/**
 * Counts all operations of a database into its figures anew, as the event log would have counted them: for tests and benches that write
 * operations themselves, or change when they were created. Operations without a cause of their failure add none.
 */
export async function fillFigures(connection: Connection): Promise<void> {
  const { figures } = createEventModels(connection);
  const { operations } = createOperationModels(connection);
  const transaction = createTransactions(connection);
  await figures.collection.deleteMany({ _id: toDocument({ $regex: /\|operation\|/ }) });
  let batch: OperationDocument[] = [];
  const count = async () => {
    const counted = batch;
    batch = [];
    const events = counted.map((operation) => ({
      accountId: operation.accountId,
      entity: 'operation' as const,
      previousStatus: null,
      status: operation.status,
      figure: figureOfMove(operation, operation.status),
    }));
    await transaction((unit) => countEvents(figures, events, unit));
  };
  // By account and time: a batch has few days.
  const found = operations.find().sort({ accountId: 1, createdAt: -1, _id: -1 }).lean();
  for await (const operation of found.cursor()) {
    batch.push(operation);
    if (batch.length === BATCH) {
      await count();
    }
  }
  await count();
}
