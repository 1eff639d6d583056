// Keeps dist/ up to date with the sources. Plain JavaScript: it runs before anything is compiled.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BuildError } from './build-error.mjs';
import { bundlePackages, bundlePrograms, LOADER, WARM_UP_BUNDLE, writeBundles } from './bundle.mjs';
import { PACKAGES, PROGRAMS } from './programs.mjs';
import { BIN, putInPlace, STAMP } from './put-in-place.mjs';

/** The folder of package.json. */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** Where the compiled product is. */
export const DIST = join(ROOT, 'dist');
/** Writes what the pages are made from: it must run where they cannot be made yet. */
const SCHEMA_WRITER = 'schema/generate.js';
/** Stands in the stamp of a build without pages, which only {@link SCHEMA_WRITER} takes for whole. */
const NO_PAGES = ' without pages';
const DRAFT_PREFIX = '.build-';
const ABANDONED_MS = 10 * 60_000;

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
 * Runs a program, or a module of dist/, in this process: signals reach it, and its exit code is this one's.
 * @throws BuildError
 */
export async function runProgram(program, args) {
  await ensureBuilt({ hasPages: program !== SCHEMA_WRITER });
  const path = pathOf(program);
  process.argv = [process.argv[0], path, ...args];
  // Before any type of the graph, whichever a program imports first. The bundles have it.
  await import('reflect-metadata');
  await import(pathToFileURL(path).href);
}

/**
 * Compiles and bundles the sources, tests included, when dist/ was made from others, which takes some seconds; otherwise only
 * reads them (0.1 seconds). A copy of the product without sources runs the dist/ that it has. Types are not checked here: `npm run
 * build` does that. Processes that build at once do not disturb each other: each builds in a folder of its own, and
 * puts only complete files and folders in their places.
 * @throws BuildError
 */
export async function ensureBuilt({ hasPages = true } = {}) {
  const sources = sourceFiles();
  if (!sources.some((file) => file.endsWith('.ts'))) {
    return;
  }
  const stamp = fingerprint(sources);
  const good = hasPages ? [stamp] : [stamp, stamp + NO_PAGES];
  if (!good.includes(readStamp())) {
    process.stderr.write('Compiling the sources into dist/ …\n');
    await build({ hasPages });
  }
}

/**
 * Compiles the sources into dist/, and bundles the programs. Sources that change meanwhile are built again: some may have
 * been read before the change and some after it, and another process may have put a newer build in place.
 * @throws BuildError
 */
export async function build({ hasPages = true } = {}) {
  const stamp = fingerprint(sourceFiles());
  const draft = writing(makeDraft);
  let isCurrent = false;
  try {
    await compile(join(draft, 'compiled'));
    await makePackages(join(draft, 'compiled'));
    if (hasPages) {
      await makePages(join(draft, 'compiled'));
    }
    const bundles = join(draft, 'bin');
    const files = await bundlePrograms(join(draft, 'compiled'), bundles);
    const name = writing(() => writeBundles(files, bundles));
    await keepCode(bundles);
    isCurrent = fingerprint(sourceFiles()) === stamp;
    if (isCurrent) {
      writing(() => putInPlace(DIST, draft, { name, stamp: hasPages ? stamp : stamp + NO_PAGES }));
    }
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  if (!isCurrent) {
    await build({ hasPages });
  }
}

/**
 * The file that starts a program, by its name; anything else is a module of dist/.
 * @throws BuildError when there is none
 */
function pathOf(program = '') {
  const isKnown = Object.hasOwn(PROGRAMS, program);
  const path = isKnown ? join(DIST, BIN, `${program}.js`) : join(DIST, program);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new BuildError(
      isKnown
        ? `${path} is not there. Run npm run build, or bring a dist/ that it has made.`
        : `There is no program "${program}". There are ${Object.keys(PROGRAMS).join(', ')}, and the modules of dist/.`,
    );
  }
  return path;
}

function readStamp() {
  const path = join(DIST, STAMP);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Everything in the folders of sources that may go into a build: modules, tests, documents, pages and styles. */
const SOURCE = /\.(?:[cm]?[jt]s|tsx|css|graphql|html|json|md)$/;

/** The files that a build is made from, from the folder of package.json. */
function sourceFiles() {
  // deploy/ has a page of the documentation.
  const folders = [...sourceFolders(), 'deploy'].filter((folder) => existsSync(join(ROOT, folder)));
  const inFolders = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => SOURCE.test(name))
      .map((name) => join(folder, name)),
  );
  const inRoot = readdirSync(ROOT).filter((name) => name === 'tsconfig.json' || name.endsWith('.md'));
  return [...inFolders, ...inRoot].sort();
}

/** The folders of sources, as tsconfig.json lists them. */
export function sourceFolders() {
  const { include } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'));
  return include.filter((folder) => existsSync(join(ROOT, folder)));
}

/** Compares by content: in a checkout, a copy or an image layer, files may have any time. */
function fingerprint(sources) {
  const hash = createHash('sha256');
  for (const file of sources) {
    const content = readFileSync(join(ROOT, file));
    hash.update(`${file}\n${content.length}\n`).update(content);
  }
  return hash.update(installedPackages()).digest('hex');
}

/**
 * The product's packages in the versions that are installed: bundles hold what they use of them, and package-lock.json alone
 * only says what `npm ci` would install. Left out is what bundles do not hold: packages for development, for one platform,
 * and those that an operator adds. So a build stays good after `npm prune --omit=dev`.
 */
function installedPackages() {
  // npm's own note of what it has installed.
  const installed = packagesIn(join('node_modules', '.package-lock.json'));
  return Object.entries(packagesIn('package-lock.json') ?? installed ?? {})
    .filter(([path, { dev, optional, devOptional }]) => path !== '' && !(dev || optional || devOptional))
    .map(([path, locked]) => [path, installed?.[path] ?? locked])
    .map(([path, { version, integrity, resolved }]) => `${path} ${version} ${integrity ?? resolved}\n`)
    .sort()
    .join('');
}

/** Empty if there is no such file. */
function packagesIn(lockFile) {
  const path = join(ROOT, lockFile);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined;
}

/** Writes to dist/. @throws BuildError when the file system does not allow it */
function writing(work) {
  try {
    return work();
  } catch (error) {
    if (error.syscall === undefined) {
      throw error;
    }
    throw new BuildError(
      `dist/ is not made from these sources, and cannot be written (${error.message}). ` +
        'Run npm run build where it can be, before the start.',
    );
  }
}

/** An empty folder beside the files that it will replace. Folders of killed builds are removed. */
function makeDraft() {
  mkdirSync(DIST, { recursive: true });
  for (const name of readdirSync(DIST).filter((one) => one.startsWith(DRAFT_PREFIX))) {
    removeAbandoned(join(DIST, name));
  }
  return mkdtempSync(join(DIST, DRAFT_PREFIX));
}

function removeAbandoned(folder) {
  const made = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (Date.now() - made > ABANDONED_MS) {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds the packages that others import: one file for each module, and its types. */
async function makePackages(compiled) {
  for (const [name, { folder }] of Object.entries(PACKAGES)) {
    await runCompiler(join(ROOT, folder, 'tsconfig.json'), '--outDir', join(compiled, name));
  }
  await bundlePackages(compiled);
}

/** Builds the pages of the documentation, of the console and of GraphiQL, where the sources have the module that makes them. */
async function makePages(compiled) {
  const maker = join(compiled, 'gateway', 'build', 'pages.js');
  if (existsSync(maker) && (await run([maker, compiled])) !== 0) {
    throw new BuildError('The pages cannot be made; see above.');
  }
}

async function compile(outDir) {
  await runCompiler(
    join(ROOT, 'tsconfig.json'),
    ...['--incremental', 'false', '--tsBuildInfoFile', 'null', '--outDir', outDir],
  );
}

/** Compiles without a check of types. */
async function runCompiler(project, ...options) {
  const code = await run([compilerPath(), '-p', project, '--noCheck', ...options]);
  if (code !== 0) {
    throw new BuildError('The sources cannot be compiled; see above.');
  }
}

/** Has the loader keep the code that V8 makes of the programs: they run without it, too. */
async function keepCode(bundles) {
  const code = await run([join(bundles, LOADER), `${WARM_UP_BUNDLE}.js`]);
  if (code !== 0) {
    process.stderr.write('The warm-up has failed, see above: programs will start slower.\n');
  }
}

/** Runs node. @returns its exit code */
function run(args) {
  const started = spawn(process.execPath, args, { stdio: ['ignore', 2, 2] });
  return new Promise((resolve, reject) => {
    started.once('error', (error) => reject(new BuildError(`${args[0]} does not start: ${error.message}`)));
    started.once('exit', resolve);
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
