import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An entry of package-lock.json. */
interface LockedPackage {
  readonly version?: string;
  /** SPDX expression, as the package's own package.json has it. */
  readonly license?: string;
  /** The platforms of a package that is for some only. */
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

interface LockFile {
  /** By their folders below that of package.json; the product itself is `''`. */
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** Reads the lock file. @param root the folder of package.json */
export function readLockFile(root: string): LockFile {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
}

/**
 * The packages for development whose code the build puts into the pages of the console, of the documentation and of GraphiQL.
 * They are shipped in `dist/`, although production installs none of them.
 */
export const PACKAGES_OF_PAGES: readonly string[] = [
  '@fastify/swagger-ui',
  '@preact/signals',
  'graphiql',
  'lucide',
  'minisearch',
  'preact',
  'preact-iso',
  'react',
  'react-dom',
  'uplot',
];

/**
 * The folders of all packages that the product ships or that production installs: its dependencies, its peers, those of its
 * pages, and everything that these need. Computed from the lock file, so it is the same on every platform.
 */
export function shippedFolders({ packages }: LockFile): string[] {
  const product = packages[''] ?? {};
  const names = [
    ...Object.keys(product.dependencies ?? {}),
    ...Object.keys(product.peerDependencies ?? {}),
    ...PACKAGES_OF_PAGES,
  ];
  // The set grows while it is walked.
  const folders = new Set(names.map((name) => demand(packages, '', name)));
  for (const folder of folders) {
    for (const needed of neededBy(packages, folder)) {
      folders.add(needed);
    }
  }
  return [...folders].sort();
}

/** The folders of the packages that a package finds. Optional ones and peers may be absent. */
function neededBy(packages: LockFile['packages'], folder: string): string[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = packages[folder] ?? {};
  const { peerDependenciesMeta = {} } = packages[folder] ?? {};
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [
    ...Object.keys(dependencies).map((name) => demand(packages, folder, name)),
    ...[...Object.keys(optionalDependencies), ...peers].flatMap((name) => find(packages, folder, name) ?? []),
  ];
}

function demand(packages: LockFile['packages'], from: string, name: string): string {
  const found = find(packages, from, name);
  if (found === undefined) {
    throw new Error(
      `package-lock.json has no ${name}, which ${from || 'package.json'} needs. Run npm install.`,
    );
  }
  return found;
}

/** The folder where a package finds a dependency: beside it, or in a folder above. */
function find(packages: LockFile['packages'], from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[path]) {
      return path;
    }
    if (folder === '') {
      return undefined;
    }
  }
}
