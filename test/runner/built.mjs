// Keeps the compiled tests up to date. Plain JavaScript: it runs before anything is compiled.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, DIST, ensureBuilt, runCommand } from '../../gateway/build/dist.mjs';

const ROOT = join(DIST, '..');
/**
 * Says which tests dist/ was made from, and by which build: every build compiles the tests that are there then. The product
 * has a stamp of its own, which does not count tests, and which each build writes anew.
 */
const STAMP = join(DIST, '.tests');
const PRODUCT_STAMP = join(DIST, '.sources');

/** Compiles the product and its tests where dist/ was made from other sources; otherwise only reads them. */
export async function ensureTestsBuilt() {
  await runCommand(async () => {
    const tests = fingerprintTests();
    if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stampOf(tests)) {
      await ensureBuilt();
    } else {
      process.stderr.write('Compiling the tests into dist/ …\n');
      await build();
    }
    noteTests(tests);
  });
}

/** Notes that the latest build has compiled these tests. @param tests as {@link fingerprintTests} gave it before that build */
export function noteTests(tests) {
  writeFileSync(STAMP, stampOf(tests));
}

function stampOf(tests) {
  return `${tests} ${statSync(PRODUCT_STAMP, { throwIfNoEntry: false })?.mtimeMs}\n`;
}

/** The folders that hold sources, as tsconfig.json lists them. */
export function sourceFolders() {
  const { include } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'));
  return include.filter((folder) => existsSync(join(ROOT, folder)));
}

/** The tests that are there now, by content. */
export function fingerprintTests() {
  const hash = createHash('sha256');
  for (const folder of sourceFolders()) {
    const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((one) => one.endsWith('.test.ts')).sort()) {
      const content = readFileSync(join(ROOT, folder, name));
      hash.update(`${folder}/${name}\n${content.length}\n`).update(content);
    }
  }
  return hash.digest('hex');
}
