import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLockFile, shippedFolders } from './lock-file.ts';

/** A package of somebody else, in one of its versions. */
export interface ThirdPartyPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression; undefined if the package states none. */
  readonly license: string | undefined;
  /** The texts of its files such as `LICENSE`, `MIT-LICENSE.txt`, `NOTICE`; empty if it has none. */
  readonly texts: readonly string[];
}

/** The licences that any package may have, as SPDX expressions. Each permits use, change and distribution with its notice. */
const ACCEPTED: readonly string[] = [
  'MIT',
  'MIT-0',
  '(MIT AND BSD-3-Clause)',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Python-2.0',
];

/** Notes about packages, for the file; `license` is the one that this package may have besides {@link ACCEPTED}. */
const NOTES: Readonly<Record<string, { readonly license?: string; readonly text: string }>> = {
  '@apollo/federation-internals': {
    license: 'Elastic-2.0',
    text:
      'The Elastic License 2.0 is no open-source licence. It forbids offering this package to third parties as a hosted or ' +
      'managed service, circumventing its licence keys, and removing its notices. @apollo/subgraph needs the package; only ' +
      'processes that serve a subgraph to gateways elsewhere load it.',
  },
  '@fastify/swagger-ui': {
    text: 'Contains Swagger UI, Copyright SmartBear Software Inc., under the Apache License 2.0.',
  },
};

const LICENSE_FILE = /licen[cs]e|copying|notice/i;

/** Reads the packages that the product ships or that production installs. @param root the folder of package.json */
export function readThirdPartyPackages(root: string): ThirdPartyPackage[] {
  const lock = readLockFile(root);
  const byId = new Map<string, ThirdPartyPackage>();
  for (const folder of shippedFolders(lock)) {
    const { version = '', license, os, cpu } = lock.packages[folder] ?? {};
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    // A package of one platform is installed only there.
    const texts = os || cpu ? [] : readTexts(join(root, folder));
    byId.set(`${name} ${version}`, { name, version, license, texts });
  }
  return [...byId].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

function readTexts(folder: string): string[] {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((file) => file.isFile() && LICENSE_FILE.test(file.name))
    .map(({ name }) => name)
    .sort();
  return names.map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
}

/** The packages whose licence is missing or is not accepted, one line each. */
export function findUnaccepted(packages: readonly ThirdPartyPackage[]): string[] {
  return packages
    .filter(({ name, license }) => !isAccepted(name, license))
    .map(({ name, version, license }) => `${name} ${version} has ${license ?? 'no licence'}`);
}

function isAccepted(name: string, license: string | undefined): boolean {
  return license !== undefined && (ACCEPTED.includes(license) || NOTES[name]?.license === license);
}

/** How many packages have each licence, the most frequent first. */
export function countLicenses(packages: readonly ThirdPartyPackage[]): [license: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { license = 'none' } of packages) {
    counts.set(license, (counts.get(license) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

const RULE = '-'.repeat(80);

/** The text of `THIRD_PARTY_LICENSES`. Packages with the same text share it. */
export function formatLicenses(packages: readonly ThirdPartyPackage[]): string {
  const notes = packages.flatMap(({ name, version, license }) =>
    NOTES[name] ? [`- ${name} ${version} (${license}): ${NOTES[name].text}`] : [],
  );
  return [
    'remitgraph contains code of these packages, or needs them when it runs. Made by `npm run licenses`.',
    ['Number of packages for each licence:', ...countLicenses(packages).map(formatCount)].join('\n'),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
    ...[...groupByText(packages)].map(formatGroup),
    '',
  ].join('\n\n');
}

const formatCount = ([license, count]: readonly [string, number]) => `- ${license}: ${count}`;

function groupByText(packages: readonly ThirdPartyPackage[]): Map<string, ThirdPartyPackage[]> {
  const groups = new Map<string, ThirdPartyPackage[]>();
  for (const one of packages) {
    const text = one.texts.join('\n\n');
    groups.set(text, [...(groups.get(text) ?? []), one]);
  }
  return groups;
}

function formatGroup([text, packages]: readonly [string, readonly ThirdPartyPackage[]]): string {
  const names = packages.map(({ name, version, license = 'none' }) => `${name} ${version} (${license})`);
  return [RULE, names.join('\n'), text || 'The package has no licence file.'].join('\n\n');
}
