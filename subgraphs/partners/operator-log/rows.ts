import type { OperatorLogDocument } from './model.ts';

/** The columns of the operators' log in files, in their order. */
export const OPERATOR_LOG_COLUMNS = [
  'id',
  'createdAt',
  'source',
  'actor',
  'sessionId',
  'host',
  'act',
  'tenantId',
  'environment',
  'subject',
  'reason',
  'before',
  'after',
] as const;

/** An entry as its readers get it; what it does not have is null. */
export function toOperatorLogRow(entry: OperatorLogDocument) {
  const { _id: id, createdAt, source, actor, sessionId, host, act, tenantId, environment } = entry;
  const { subject, reason, before, after } = entry;
  return {
    id,
    createdAt: createdAt.toISOString(),
    source,
    actor,
    sessionId: sessionId ?? null,
    host: host ?? null,
    act,
    tenantId: tenantId ?? null,
    environment: environment ?? null,
    subject: subject ?? null,
    reason: reason ?? null,
    before: before ?? null,
    after: after ?? null,
  };
}

/** An entry as cells of {@link OPERATOR_LOG_COLUMNS}: states are JSON text. */
export function toOperatorLogCells(entry: OperatorLogDocument): (string | null)[] {
  const row = toOperatorLogRow(entry);
  return OPERATOR_LOG_COLUMNS.map((column) => {
    const value = row[column];
    return value === null || typeof value === 'string' ? value : JSON.stringify(value);
  });
}
