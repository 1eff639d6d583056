/**
 * The filter for documents of one tenant, whatever tenant the filter itself names. The tenant comes first: SecantusDB finds
 * nothing by two fields when one with a partial index stands before the tenant.
 */
export function ofTenant<Filter extends object>(
  tenantId: string,
  filter: Filter,
): Filter & { tenantId: string } {
  return Object.assign({ tenantId }, filter, { tenantId });
}
