import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  findUnaccepted,
  formatLicenses,
  readThirdPartyPackages,
  type ThirdPartyPackage,
} from './licenses.ts';
import { PACKAGES_OF_PAGES, readLockFile, shippedFolders } from './lock-file.ts';

const packages = readThirdPartyPackages('.');
const one = (part: Partial<ThirdPartyPackage>): ThirdPartyPackage => ({
  name: 'left-pad',
  version: '1.3.0',
  license: 'MIT',
  texts: [],
  ...part,
});

test('every package that is shipped or installed in production has an accepted licence', () => {
  expect(packages.length).toBeGreaterThan(300);
  expect(findUnaccepted(packages)).toEqual([]);
});

test.each([
  ['sift', 'MIT-LICENSE.txt'],
  ['tslib', 'CopyrightNotice.txt'],
  ['@emotion/memoize', 'LICENSE'],
])('the text of %s is that of its file %s, among others', (name, file) => {
  const text = readFileSync(join('node_modules', name, file), 'utf8')
    .replaceAll('\r\n', '\n')
    .trim();
  expect(packages.filter((one) => one.name === name).flatMap(({ texts }) => texts)).toContain(text);
});

test('THIRD_PARTY_LICENSES is what npm run licenses writes', () => {
  expect(readFileSync('THIRD_PARTY_LICENSES', 'utf8') === formatLicenses(packages)).toBe(true);
});

test('THIRD_PARTY_LICENSES is part of the package', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8')).files).toContain('THIRD_PARTY_LICENSES');
});

test.each([
  ['an unknown licence', one({ license: 'GPL-3.0-only' }), 'left-pad 1.3.0 has GPL-3.0-only'],
  ['no licence', one({ license: undefined }), 'left-pad 1.3.0 has no licence'],
  ["another package's exception", one({ license: 'Elastic-2.0' }), 'left-pad 1.3.0 has Elastic-2.0'],
])('reports a package with %s', (_, unaccepted, line) => {
  expect(findUnaccepted([unaccepted, one({})])).toEqual([line]);
});

test('the file has the text of each package once, with the packages that share it', () => {
  const text = formatLicenses([
    one({ texts: ['Copyright A'] }),
    one({ name: 'right-pad', texts: ['Copyright A'] }),
    one({ name: 'no-text' }),
  ]);
  expect(text).toContain('left-pad 1.3.0 (MIT)\nright-pad 1.3.0 (MIT)\n\nCopyright A\n');
  expect(text).toContain('no-text 1.3.0 (MIT)\n\nThe package has no licence file.\n');
});

test('the console imports only packages whose licences are listed', () => {
  const texts = readdirSync(join('gateway', 'console'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
    .map((name) => readFileSync(join('gateway', 'console', name), 'utf8'));
  const names = texts.flatMap((text) =>
    [...text.matchAll(/ from '((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^']*)?';$/gm)].map(([, name = '']) => name),
  );
  expect(names).toEqual(expect.arrayContaining(['@preact/signals', 'preact', 'preact-iso']));
  const folders = shippedFolders(readLockFile('.'));
  const ofOthers = names.filter((name) => !name.startsWith('.'));
  expect(ofOthers.filter((name) => !folders.includes(`node_modules/${name}`))).toEqual([]);
  expect(PACKAGES_OF_PAGES.every((name) => folders.includes(`node_modules/${name}`))).toBe(true);
});
