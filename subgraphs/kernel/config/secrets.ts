import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../errors/thrown.ts';
import { makePrivateDirectory } from '../private-directory.ts';

/** The secrets that the product can make for itself outside production. */
export interface Secrets {
  readonly INTERNAL_API_KEY: string;
  readonly ENCRYPTION_KEY: string;
  readonly API_KEY_PEPPER: string;
}

const GENERATORS: { readonly [Name in keyof Secrets]: () => string } = {
  INTERNAL_API_KEY: () => `internal_${randomBytes(24).toString('base64url')}`,
  ENCRYPTION_KEY: () => randomBytes(32).toString('hex'),
  API_KEY_PEPPER: () => randomBytes(32).toString('hex'),
};

/** Fills in the secrets that were not given: from `dataDir`, where each is generated once (file mode 0600). */
export function loadSecrets(
  dataDir: string,
  given: Partial<Record<keyof Secrets, string | undefined>>,
): Secrets {
  const secret = (name: keyof Secrets) => given[name] ?? keepSecret(dataDir, name, GENERATORS[name]);
  return {
    INTERNAL_API_KEY: secret('INTERNAL_API_KEY'),
    ENCRYPTION_KEY: secret('ENCRYPTION_KEY'),
    API_KEY_PEPPER: secret('API_KEY_PEPPER'),
  };
}

/** The key of the tokens between roles, from `dataDir`: for roles that share the directory. */
export function keepTokenKey(dataDir: string): string {
  return keepSecret(dataDir, 'INTERNAL_TOKEN_KEY', () => randomBytes(32).toString('base64url'));
}

/**
 * Reads the secret `name` kept in `dataDir`, or makes and keeps it. Processes that start at once agree on one value:
 * a complete file is linked into place, which only the first of them can do.
 */
export function keepSecret(dataDir: string, name: string, generate: () => string): string {
  makePrivateDirectory(dataDir);
  const path = join(dataDir, `${name.toLowerCase().replaceAll('_', '-')}.secret`);
  return readKept(path) ?? keep(path, generate());
}

function readKept(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    return ignoring('ENOENT', error);
  }
}

function keep(path: string, value: string): string {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${value}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
    return value;
  } catch (error) {
    ignoring('EEXIST', error);
    return readFileSync(path, 'utf8').trim();
  } finally {
    rmSync(draft);
  }
}

function ignoring(code: string, error: unknown): undefined {
  if (!hasCode(error, code)) {
    throw error;
  }
}
