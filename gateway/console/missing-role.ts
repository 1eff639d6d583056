/** The lowest access that has each scope, as the server gives them; the highest access first. */
const ACCESS_WITH = [
  ['partner_admin', 'admin'],
  ['partner_write', 'operate'],
  ['partner_webhooks', 'support'],
  ['partner_contact', 'support'],
] as const;
type MissingAccess = (typeof ACCESS_WITH)[number][1];

/** The lowest access that has all missing scopes; undefined if no role of a partner has one of them. */
export function missingRole(missingScopes: readonly string[]): MissingAccess | undefined {
  const isKnown = missingScopes.every((missing) => ACCESS_WITH.some(([scope]) => scope === missing));
  return isKnown ? ACCESS_WITH.find(([scope]) => missingScopes.includes(scope))?.[1] : undefined;
}
