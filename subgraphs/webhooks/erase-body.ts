import { isLosslessNumber, stringify } from 'lossless-json';
import { erasedDetails } from '../graph/erasure.ts';
import { parseJson } from '../kernel/json/parse-json.ts';
import { isRecord } from '../kernel/objects.ts';

/** Fields of a webhook's body that stay when its user is erased: ids, states, codes, times. All other texts become empty. */
const KEPT: ReadonlySet<string> = new Set([
  'event',
  'eventType',
  'timestamp',
  'partnerId',
  'referenceId',
  'id',
  'requestId',
  'userId',
  'userReferenceId',
  'linkId',
  'dataRequestId',
  'fields',
  'operationId',
  'correlationId',
  'currency',
  'status',
  'previousStatus',
  'code',
  'errorCode',
  'stage',
  'phase',
  'landingLink',
  'payoutMethod',
  'createdAt',
  'updatedAt',
  'environment',
  'endpointId',
  'failingSince',
  'deliveryIds',
  'keyId',
  'endsAt',
  'lastUsedAt',
  'stuckSince',
  'limit',
  'consoleUrl',
  'statementId',
  'period',
  'timeZone',
  'from',
  'to',
]);

/** The body of a webhook without the personal data of its user: the same fields, of the same types. */
export function eraseBody(body: string): string {
  const value = parseJson(body);
  return (isRecord(value) && stringify(eraseIn('', value))) || '{}';
}

function eraseIn(name: string, value: unknown): unknown {
  if (typeof value === 'string') {
    if (name === 'statusDetails') {
      return erasedDetails(value);
    }
    return KEPT.has(name) ? value : '';
  }
  if (Array.isArray(value)) {
    return value.map((item) => eraseIn(name, item));
  }
  return isRecord(value) && !isLosslessNumber(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, eraseIn(key, inner)]))
    : value;
}
