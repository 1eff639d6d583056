// Keeps the compiled tests up to date. Plain JavaScript: it runs before anything is compiled.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, DIST, ensureBuilt, runCommand } from '../../gateway/cli/dist.mjs';

const ROOT = join(DIST, '..');
/** Says which tests dist/ was made from; the product has a stamp of its own, which does not count tests. */
const STAMP = join(DIST, '.tests');

/** Compiles the product and its tests where dist/ was made from other sources; otherwise only reads them. */
export async function ensureTestsBuilt() {
  await runCommand(async () => {
    const stamp = fingerprint();
    if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) {
      await ensureBuilt();
      return;
    }
    process.stderr.write('Compiling the tests into dist/ …\n');
    await build();
    writeFileSync(STAMP, stamp);
  });
}

/** The folders that hold sources, as tsconfig.json lists them. */
export function sourceFolders() {
  const { include } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'));
  return include.filter((folder) => existsSync(join(ROOT, folder)));
}

function fingerprint() {
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
