import type { Connection } from 'mongoose';
import type { Logger } from '../log/log.ts';
import { createRequestLogModel } from './model.ts';
import { createRequestReader, type RequestReader } from './reader.ts';
import { createRequestRecorder, type RequestRecorder } from './recorder.ts';

/** The log of partners' requests: those that failed, and those that changed something. */
export interface RequestLog extends RequestReader, RequestRecorder {}

export function createRequestLog({
  connection,
  log,
}: {
  connection: Connection;
  log: Pick<Logger, 'warn'>;
}): RequestLog {
  const model = createRequestLogModel(connection);
  return {
    ...createRequestReader(model),
    ...createRequestRecorder({
      // Lean: they are what the schema says already.
      insert: (documents) => model.insertMany([...documents], { ordered: false, lean: true }),
      log,
    }),
  };
}
