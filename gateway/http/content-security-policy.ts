/** Sources by directive that a page needs in addition to, or in place of, the common ones. */
type MoreSources = Readonly<Partial<Record<'style-src' | 'font-src', string>>>;

/**
 * The content security policy of a page: it loads and calls this host alone, runs no inline script, sends no form, and stands in no
 * frame. A WebSocket to the same host is within `'self'`. Source: CSP 3, section 6.7.2.8.
 */
export function contentSecurityPolicy(more: MoreSources = {}): string {
  const directives = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...more,
  };
  return Object.entries(directives)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}
