/** The path of the console without a proxy that changes it. */
const USUAL_ROOT = '/console';

/**
 * The path of the console, derived from the address of its own scripts: a proxy may have put the whole service below
 * a path that the server does not know.
 * @param script the address of a script of the console; outside a browser, where there is none, that of a file
 */
export function rootOf(script: string): string {
  const { protocol, pathname } = new URL(script);
  return /^https?:$/.test(protocol) ? pathname.replace(/\/assets\/[^/]*$/, '') : USUAL_ROOT;
}

/** Without a slash at its end. */
export const ROOT = rootOf(import.meta.url);
/** The service that the console is a part of: empty, or a path without a slash at its end. */
export const SERVICE = ROOT.replace(/\/[^/]*$/, '');
