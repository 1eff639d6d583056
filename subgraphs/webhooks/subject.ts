import { parseJson } from '../kernel/json/parse-json.ts';
import { isRecord } from '../kernel/objects.ts';

/** The record that a webhook is about. */
export interface WebhookSubject {
  readonly kind: 'request_money' | 'remittance' | 'link';
  /** The partner's id of it: referenceId, correlationId or linkId. */
  readonly id: string;
}

/**
 * Reads the subject from the body of a webhook: the outcome of an atomic call has its ids beside the event, all others have
 * them in `data`. Undefined for a test and for a failed call that named no record.
 */
export function subjectOf(body: string): WebhookSubject | undefined {
  const envelope = parseJson(body);
  if (!isRecord(envelope)) {
    return undefined;
  }
  const { correlationId, data } = envelope;
  if (typeof correlationId === 'string') {
    return { kind: 'remittance', id: correlationId };
  }
  const { linkId, referenceId } = isRecord(data) ? data : {};
  // A data request also has the referenceId of the user.
  if (typeof linkId === 'string') {
    return { kind: 'link', id: linkId };
  }
  return typeof referenceId === 'string' ? { kind: 'request_money', id: referenceId } : undefined;
}
