/** The context under which a secret of a tenant is sealed. */
export function secretContext(
  tenantId: string,
  field: 'webhookSecret' | 'webhookFormerSecrets' | 'sharedSecret',
): string {
  return `${tenantId}|${field}|tenant`;
}
