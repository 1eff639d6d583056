import type { SealedField } from '../../../subgraphs/kernel/crypto/rotate.ts';
import { ATTACHED_FIELDS } from '../../../subgraphs/links/attached.ts';

/**
 * Everything that is sealed at rest, with the contexts that its writers use. A field that is missing here would be
 * lost with the former master key: `test/e2e/at-rest.test.ts` searches every collection for such fields.
 */
export const SEALED_FIELDS: readonly SealedField[] = [
  ...sealed(
    'tenants',
    [
      'webhookSecret',
      'webhookFormerSecrets',
      'webhookHeaders',
      'sharedSecret',
      'signIn',
      'operationalEvents',
    ],
    ({ _id }, field) => `${_id}|${field}|tenant`,
  ),
  ...sealed('users', ['profile', 'cipResult', 'blockedReason', 'erasureReason']),
  ...sealed('contacts', ['person']),
  ...sealed('paymentMethods', ['number']),
  ...sealed('links', ['userData', ...ATTACHED_FIELDS]),
  ...sealed('linkActivities', ['error']),
  ...sealed('linkImages', ['bytes'], ({ accountId, _id }) => `${accountId}|idImage|${_id}`),
  ...sealed('moneyRequests', ['private']),
  ...sealed('remittances', ['private']),
  ...sealed('operations', ['reason', 'failureReason']),
  ...sealed('reservations', ['terms', 'refusal'], keyContext),
  ...sealed('idempotencyKeys', ['result'], keyContext),
  ...sealed('approvals', ['input']),
  ...sealed('discrepancies', ['log']),
  ...sealed('journalHeads', ['seal']),
  ...sealed('journalDays', ['seal']),
  ...sealed('webhookEndpoints', ['url', 'secret', 'formerSecrets', 'headers']),
  ...sealed(
    'webhookDeliveries',
    ['url', 'formerUrls', 'secret', 'formerSecrets', 'headers', 'body'],
    ownContext,
    'webhooks',
  ),
  ...sealed('webhookAttempts', ['answer'], ownContext, 'webhooks'),
];

type Fields = Readonly<Record<string, unknown>>;

function sealed(
  collection: string,
  fields: readonly string[],
  context: (document: Fields, field: string) => string = ownContext,
  purpose = 'fields',
): SealedField[] {
  return fields.map((field) => ({
    collection,
    field,
    purpose,
    context: (document) => context(document, field),
  }));
}

function ownContext({ accountId, _id }: Fields, field: string): string {
  return `${accountId}|${field}|${_id}`;
}

/** The id is `tenant|key`; a tenant's id has no `|`. */
function keyContext({ _id }: Fields, field: string): string {
  const id = String(_id);
  const end = id.indexOf('|');
  return `${id.slice(0, end)}|${field}|${id.slice(end + 1)}`;
}
