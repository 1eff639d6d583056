/**
 * The filter for documents of one tenant, whatever tenant it names itself. The tenant comes first: SecantusDB finds nothing
 * by two fields of which one has a partial index where they stand before it.
 */
export function ofTenant<Filter extends object>(
  tenantId: string,
  filter: Filter,
): Filter & { tenantId: string } {
  return Object.assign({ tenantId }, filter, { tenantId });
}
