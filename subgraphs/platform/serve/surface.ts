import type { Surface } from '../errors/catalogue.ts';

const PREFIXES: readonly (readonly [prefix: string, surface: Surface])[] = [
  ['/graphql', 'graphql'],
  ['/exports', 'graphql'],
  ['/partner', 'partner'],
  ['/v1/user', 'remittance'],
];

/** The surface that a path belongs to; one that is nowhere else belongs to document 2. */
export function surfaceOf(path: string): Surface {
  const found = PREFIXES.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`));
  return found?.[1] ?? 'requestMoney';
}

/** ASCII alone: the surfaces' names are made of it, and whatever else there is cannot be decoded wrongly. */
const ENCODED_ASCII = /%([0-7][0-9a-f])/gi;

/**
 * The path of a URL that no route was found for, as one would read it: decoded, each run of slashes as one, without
 * what follows the path. Only for choosing the shape of a 404; routes are found by the router alone.
 */
export function readPath(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  return path
    .replace(ENCODED_ASCII, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\/{2,}/g, '/');
}
