import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makePrivateDirectory } from './private-directory.ts';

describe('A private directory', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'remitgraph-private-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('is made with those above it, for its owner alone, and made again without effect', () => {
    const path = join(folder, 'a', 'b', 'c');
    makePrivateDirectory(path);
    makePrivateDirectory(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700);
  });

  test('cannot be a file, or lie below one or below a link to nothing', () => {
    writeFileSync(join(folder, 'file'), '');
    symlinkSync(join(folder, 'nothing'), join(folder, 'link'));
    expect(() => makePrivateDirectory(join(folder, 'file'))).toThrow('EEXIST');
    expect(() => makePrivateDirectory(join(folder, 'file', 'a'))).toThrow('ENOTDIR');
    expect(() => makePrivateDirectory(join(folder, 'link', 'a'))).toThrow('ENOENT');
  });

  // Without /proc, a device stands in for it.
  test('fails at once where the file system makes no folders', () => {
    const path = existsSync('/proc') ? '/proc/nope/store' : '/dev/null/store';
    expect(() => makePrivateDirectory(path)).toThrow(/ENOENT|ENOTDIR/);
  });
});
