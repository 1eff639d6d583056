/** @only-in-full */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { PACKAGES_OF_PAGES } from './lock-file.ts';

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses: readonly unknown[];
}

interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
}

const nameIn = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

test('npm run sbom lists every package that production installs, and those of the pages, with digest and licence', () => {
  const printed = execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  const { bomFormat, metadata, components } = JSON.parse(printed) as {
    bomFormat: string;
    metadata: { component: Component };
    components: Component[];
  };
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(bomFormat).toBe('CycloneDX');
  expect(metadata.component).toMatchObject({ name, version, purl: `pkg:npm/${name}@${version}` });
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  // npm marks what only development needs.
  const ofProduction = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
  const ofPages = PACKAGES_OF_PAGES.map(
    (page) => [`node_modules/${page}`, packages[`node_modules/${page}`]] as const,
  );
  const expected = [...ofProduction, ...ofPages].map(([path, entry]) => ({
    id: `${nameIn(path)}@${entry?.version}`,
    sha512: Buffer.from(String(entry?.integrity).replace(/^sha512-/, ''), 'base64').toString('hex'),
  }));
  expect(expected.length).toBeGreaterThan(350);
  const listed = new Map(components.map((one) => [`${one.name}@${one.version}`, one]));
  const missing = expected.filter(
    ({ id, sha512 }) =>
      !listed.get(id)?.hashes.some(({ alg, content }) => alg === 'SHA-512' && content === sha512),
  );
  expect(missing).toEqual([]);
  expect(components.filter(({ licenses }) => !(licenses?.length > 0)).map((one) => one.name)).toEqual([]);
  // Nothing that only a developer has.
  expect([...listed.keys()].filter((id) => /^(?:typescript|jest|esbuild|@biomejs\/biome)@/.test(id))).toEqual(
    [],
  );
});
