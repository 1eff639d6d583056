import type { Connection } from 'mongoose';
import type { Logger } from '../../kernel/log/log.ts';
import { createRequestLogModel, type RequestDocument } from './model.ts';
import { createRequestReader, type RequestReader } from './reader.ts';
import { createRequestRecorder, type RequestRecorder } from './recorder.ts';

/** A request that has just ended. */
export type EndedRequest = Omit<RequestDocument, 'createdAt'>;

/** The log of partners' requests: those that failed, and those that changed something. */
export interface RequestLog extends RequestReader, Omit<RequestRecorder, 'record'> {
  /** Records a request beside it, by the time of its beginning on the database's clock, as all else in a timeline. */
  record(request: EndedRequest): void;
  /** Stores entries now. Rejects when the database does not take them. */
  store(entries: readonly RequestDocument[]): Promise<unknown>;
}

export function createRequestLog({
  connection,
  log,
  clock,
}: {
  connection: Connection;
  log: Pick<Logger, 'warn'>;
  clock: () => Date;
}): RequestLog {
  const model = createRequestLogModel(connection);
  // Lean: they are what the schema says already.
  const store = (documents: readonly RequestDocument[]) =>
    model.insertMany([...documents], { ordered: false, lean: true });
  const recorder = createRequestRecorder({ insert: store, log });
  return {
    store,
    ...createRequestReader(model),
    ...recorder,
    record: (request) => recorder.record({ ...request, createdAt: new Date(clock().getTime() - request.ms) }),
  };
}
