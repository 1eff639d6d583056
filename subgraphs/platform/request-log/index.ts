import type { Connection } from 'mongoose';
import type { Logger } from '../log/log.ts';
import { createRequestLogModel, type RequestDocument } from './model.ts';
import { createRequestReader, type RequestReader } from './reader.ts';
import { createRequestRecorder, type RequestRecorder } from './recorder.ts';

/** The log of partners' requests: those that failed, and those that changed something. */
export interface RequestLog extends RequestReader, RequestRecorder {
  /** Stores entries now. Rejects when the database does not take them. */
  store(entries: readonly RequestDocument[]): Promise<unknown>;
}

export function createRequestLog({
  connection,
  log,
}: {
  connection: Connection;
  log: Pick<Logger, 'warn'>;
}): RequestLog {
  const model = createRequestLogModel(connection);
  // Lean: they are what the schema says already.
  const store = (documents: readonly RequestDocument[]) =>
    model.insertMany([...documents], { ordered: false, lean: true });
  return {
    store,
    ...createRequestReader(model),
    ...createRequestRecorder({
      insert: store,
      log,
    }),
  };
}
