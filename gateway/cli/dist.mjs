// Keeps dist/ up to date with the sources. Plain JavaScript: it runs before anything is compiled.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** Where the compiled product is. */
export const DIST = join(ROOT, 'dist');
/** Says which sources dist/ was made from. Written last: what stands beside it is complete. */
const STAMP = join(DIST, '.sources');
const DRAFT_PREFIX = '.build-';
const ABANDONED_MS = 10 * 60_000;

/** Something that the operator can mend; its message says what to do. */
class BuildError extends Error {}

/** Runs a command; a {@link BuildError} ends the process with its message alone. */
export async function runCommand(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof BuildError)) {
      throw error;
    }
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/**
 * Compiles the sources when dist/ was made from others, which takes about 2 seconds; otherwise only reads them (0.1
 * seconds). A copy of the product without sources runs the dist/ that it has. Types are not checked here: `npm run
 * build` does that. Processes that build at once do not disturb each other: each compiles into a folder of its own, and
 * puts only complete files in their places.
 * @throws BuildError
 */
export async function ensureBuilt() {
  const sources = sourceFiles();
  if (sources.length > 0 && readStamp() !== fingerprint(sources)) {
    process.stderr.write('Compiling the sources into dist/ …\n');
    await build();
  }
}

/** Compiles the sources into dist/. @throws BuildError */
export async function build() {
  const stamp = fingerprint(sourceFiles());
  const draft = makeDraft();
  try {
    await compile(draft);
    putInPlace(draft);
    writeFileSync(join(draft, 'stamp'), stamp);
    renameSync(join(draft, 'stamp'), STAMP);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function readStamp() {
  return existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : undefined;
}

/** Everything that is compiled and run; tests are compiled, but nothing that runs needs them. */
function sourceFiles() {
  const { include } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'));
  return include
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter((file) => file.isFile() && file.name.endsWith('.ts') && !file.name.endsWith('.test.ts'))
        .map((file) => join(file.parentPath, file.name)),
    )
    .sort();
}

/** By content: a checkout, a copy or an image layer may give files any time. */
function fingerprint(sources) {
  const hash = createHash('sha256');
  for (const file of [...sources, join(ROOT, 'tsconfig.json')]) {
    const content = readFileSync(file);
    hash.update(`${relative(ROOT, file)}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** An empty folder beside the files that it is to replace; those that killed builds have left are removed. */
function makeDraft() {
  try {
    mkdirSync(DIST, { recursive: true });
    for (const name of readdirSync(DIST).filter((one) => one.startsWith(DRAFT_PREFIX))) {
      removeAbandoned(join(DIST, name));
    }
    return mkdtempSync(join(DIST, DRAFT_PREFIX));
  } catch (error) {
    throw new BuildError(
      `dist/ is not made from these sources, and cannot be written (${error.message}). ` +
        'Run npm run build where it can be, before the start.',
    );
  }
}

function removeAbandoned(folder) {
  const made = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (Date.now() - made > ABANDONED_MS) {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In a process group of its own, so that a signal to this process ends all of it, the compiler's own child included. */
function compile(outDir) {
  const child = spawn(
    process.execPath,
    [compilerPath(), '-p', join(ROOT, 'tsconfig.json'), '--noCheck', '--incremental', 'false'].concat([
      '--tsBuildInfoFile',
      'null',
      '--outDir',
      outDir,
    ]),
    { stdio: ['ignore', 2, 2], detached: true },
  );
  const end = (signal) => {
    process.kill(-child.pid, signal);
    rmSync(outDir, { recursive: true, force: true });
    process.exit(1);
  };
  process.once('SIGTERM', end).once('SIGINT', end);
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new BuildError(`The compiler does not start: ${error.message}`)));
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new BuildError('The sources cannot be compiled; see above.')),
    );
  }).finally(() => process.off('SIGTERM', end).off('SIGINT', end));
}

function compilerPath() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  } catch {
    throw new BuildError(
      'dist/ is not made from these sources, and TypeScript is not installed to compile them. ' +
        'Run npm ci, or bring a dist/ made by npm run build.',
    );
  }
}

/** Renames each compiled file that differs from the one in dist/: who reads it gets one or the other, never a half. */
function putInPlace(draft) {
  const files = readdirSync(draft, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  for (const file of files) {
    const made = join(file.parentPath, file.name);
    const target = join(DIST, relative(draft, made));
    // Source maps tell where their sources are from dist/ on; the draft is one folder deeper.
    if (made.endsWith('.map')) {
      writeFileSync(made, readFileSync(made, 'utf8').replace('"sources":["../', '"sources":["'));
    }
    if (!existsSync(target) || !readFileSync(target).equals(readFileSync(made))) {
      mkdirSync(dirname(target), { recursive: true });
      renameSync(made, target);
    }
  }
}
