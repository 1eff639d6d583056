import { isRecord } from '../kernel/objects.ts';

/** Fields of an event's `data` that name nobody: ids, states, sums. All other fields are masked, even future ones. */
const SHOWN: ReadonlySet<string> = new Set([
  'partnerId',
  'referenceId',
  'id',
  'linkId',
  'dataRequestId',
  'operationId',
  'amount',
  'currency',
  'status',
  'statusDetails',
  'code',
  'stage',
  'createdAt',
  'updatedAt',
  'environment',
  'endpointId',
  'failingSince',
  'deliveries',
  'keyId',
  'endsAt',
  'lastUsedAt',
  'remittances',
  'stuckSince',
  'limit',
  'calls',
  'most',
  'windowSeconds',
]);

const MASKED = '…';

/**
 * The body of a webhook for operators: JSON with the event, its time, and the fields of its data that name nobody. A body in
 * another envelope is masked as a whole.
 */
export function maskBody(body: string): string {
  const envelope = readObject(body);
  if (!envelope || typeof envelope.event !== 'string' || !isRecord(envelope.data)) {
    return MASKED;
  }
  const data = Object.fromEntries(
    Object.entries(envelope.data).map(([key, value]) => [
      key,
      SHOWN.has(key) && isPlain(value) ? value : MASKED,
    ]),
  );
  return JSON.stringify({ event: envelope.event, data, timestamp: envelope.timestamp });
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) {
      return undefined;
    }
    throw error;
  }
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
