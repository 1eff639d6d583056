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
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BuildError } from './build-error.mjs';
import { bundlePrograms } from './bundle.mjs';
import { PROGRAMS } from './programs.mjs';

/** The folder of package.json. */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** Where the compiled product is. */
export const DIST = join(ROOT, 'dist');
/** Says which sources dist/ was made from. Written last: what stands beside it is complete. */
const STAMP = join(DIST, '.sources');
const DRAFT_PREFIX = '.build-';
const ABANDONED_MS = 10 * 60_000;
/** What is run: of each program a file that leads into the latest build's folder of bundles. */
const BIN = join(DIST, 'bin');
/** How many folders of bundles are kept: a process that runs may still load parts of one that is not the latest. */
const KEPT_BUILDS = 3;

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
 * Compiles and bundles the sources when dist/ was made from others, which takes some seconds; otherwise only reads them
 * (0.1 seconds). A copy of the product without sources runs the dist/ that it has. Types are not checked here: `npm run
 * build` does that. Processes that build at once do not disturb each other: each builds in a folder of its own, and
 * puts only complete files and folders in their places.
 * @throws BuildError
 */
export async function ensureBuilt() {
  const sources = sourceFiles();
  if (sources.length > 0 && readStamp() !== fingerprint(sources)) {
    process.stderr.write('Compiling the sources into dist/ …\n');
    await build();
  }
}

/** Compiles the sources into dist/, and bundles the programs. @throws BuildError */
export async function build() {
  const stamp = fingerprint(sourceFiles());
  const draft = makeDraft();
  const compiled = join(draft, 'compiled');
  const bundles = join(draft, 'bin');
  try {
    await unlessStopped(draft, async () => {
      await compile(compiled);
      const name = await bundlePrograms({ root: ROOT, compiled, folder: bundles });
      putModulesInPlace(compiled);
      putBundlesInPlace(bundles, name, draft);
    });
    writeFileSync(join(draft, 'stamp'), stamp);
    renameSync(join(draft, 'stamp'), STAMP);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** The file that starts a program, by its name; anything else is a module of dist/. */
export function pathOf(program) {
  return program in PROGRAMS ? join(BIN, `${program}.js`) : join(DIST, program);
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

/** What else a build is made from: bundles hold the packages that they use. */
function otherInputs() {
  const settings = ['tsconfig.json', 'package-lock.json'].map((name) => join(ROOT, name));
  const makers = ['bundle.mjs', 'dist.mjs', 'programs.mjs', 'source-map.mjs'].map((name) =>
    join(import.meta.dirname, name),
  );
  return [...settings, ...makers].filter((file) => existsSync(file));
}

/** By content: a checkout, a copy or an image layer may give files any time. */
function fingerprint(sources) {
  const hash = createHash('sha256');
  for (const file of [...sources, ...otherInputs()]) {
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

/** Does the work of a build; a signal ends it, its child processes and the draft. */
async function unlessStopped(draft, work) {
  const end = () => {
    compiler?.kill();
    rmSync(draft, { recursive: true, force: true });
    process.exit(1);
  };
  process.once('SIGTERM', end).once('SIGINT', end);
  try {
    await work();
  } finally {
    process.off('SIGTERM', end).off('SIGINT', end);
  }
}

let compiler;

/** In a process group of its own, so that all of it can be ended, the compiler's own child included. */
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
  compiler = { kill: () => process.kill(-child.pid, 'SIGTERM') };
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new BuildError(`The compiler does not start: ${error.message}`)));
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new BuildError('The sources cannot be compiled; see above.')),
    );
  }).finally(() => {
    compiler = undefined;
  });
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
function putModulesInPlace(compiled) {
  const files = readdirSync(compiled, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  for (const file of files) {
    const made = join(file.parentPath, file.name);
    const target = join(DIST, relative(compiled, made));
    // Source maps tell where their sources are from dist/ on; the draft is two folders deeper.
    if (made.endsWith('.map')) {
      writeFileSync(made, readFileSync(made, 'utf8').replace('"sources":["../../', '"sources":["'));
    }
    if (!existsSync(target) || !readFileSync(target).equals(readFileSync(made))) {
      mkdirSync(dirname(target), { recursive: true });
      renameSync(made, target);
    }
  }
}

/** First the folder, whole, then what leads into it. */
function putBundlesInPlace(bundles, name, draft) {
  const target = join(BIN, name);
  mkdirSync(BIN, { recursive: true });
  if (existsSync(target)) {
    // Of the same content; it is the latest again.
    utimesSync(target, new Date(), new Date());
  } else {
    renameUnlessThere(bundles, target);
  }
  for (const program of Object.keys(PROGRAMS)) {
    writeFileSync(join(draft, program), `import './${name}/${program}.js';\n`);
    renameSync(join(draft, program), join(BIN, `${program}.js`));
  }
  const builds = readdirSync(BIN, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== name)
    .map((entry) => join(BIN, entry.name))
    .map((path) => ({ path, made: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.made - a.made);
  for (const { path } of builds.slice(KEPT_BUILDS - 1)) {
    rmSync(path, { recursive: true, force: true });
  }
}

/** Another build that runs at the same time may be first. */
function renameUnlessThere(folder, target) {
  try {
    renameSync(folder, target);
  } catch (error) {
    if (!existsSync(target)) {
      throw error;
    }
  }
}
