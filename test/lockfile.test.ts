import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

/** Where a package finds a dependency: beside it, or in a folder above. */
function findLocked(from: string, name: string): LockedPackage | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const found = packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`];
    if (found || folder === '') {
      return found;
    }
  }
}

test('the lock file has the packages of every platform: npm ci fails on one that lost some', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => findLocked(path, name)?.version === undefined),
  );
  expect(missing).toEqual([]);
});

test('the lock file names no registry', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved?.startsWith('http'))).toEqual([]);
});

test('the lock file has the digest of every package: npm ci takes no other bytes than those', () => {
  const without = Object.entries(packages).filter(([path, { integrity }]) => path !== '' && !integrity);
  expect(without.map(([path]) => path)).toEqual([]);
});
