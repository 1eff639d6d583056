import type { Surface } from './catalogue.ts';

const PREFIXES: readonly (readonly [prefix: string, surface: Surface])[] = [
  ['/graphql', 'graphql'],
  ['/exports', 'graphql'],
  ['/partner', 'partner'],
  ['/v1/user', 'remittance'],
];

/** The surface of a path. Paths of no surface belong to document 2. */
export function surfaceOf(path: string): Surface {
  const found = PREFIXES.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`));
  return found?.[1] ?? 'requestMoney';
}

/** Only ASCII is decoded: the names of surfaces consist of it, and other characters cannot be decoded wrongly then. */
const ENCODED_ASCII = /%([0-7][0-9a-f])/gi;

/**
 * The readable path of a URL without a route: decoded, each run of slashes as one, without what follows the path. It only
 * chooses the shape of a 404; the router finds routes.
 */
export function readPath(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  return path
    .replace(ENCODED_ASCII, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\/{2,}/g, '/');
}
