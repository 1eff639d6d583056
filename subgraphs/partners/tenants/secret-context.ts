import type { AccountId } from '../../kernel/account.ts';

/** The context under which a secret of a tenant is sealed. */
export function secretContext(
  accountId: AccountId,
  field:
    | 'webhookSecret'
    | 'webhookFormerSecrets'
    | 'webhookHeaders'
    | 'sharedSecret'
    | 'signIn'
    | 'operationalEvents',
): string {
  return `${accountId}|${field}|tenant`;
}
