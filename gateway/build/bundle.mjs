// Makes the programs quick to start: of some 2,000 modules a few files. Plain JavaScript, see dist.mjs.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { BuildError } from './build-error.mjs';
import { LIBRARIES, PACKAGES, PROGRAMS, WARM_UP } from './programs.mjs';

/**
 * Packages that are loaded from node_modules, as they are without a bundle. None of them may load `graphql` or `mongoose`:
 * there would be two of it in the process, which do not know each other's objects.
 */
const EXTERNAL = [
  // The operator's SDK must find the very instance that the product has.
  '@opentelemetry/api',
  // Runs files of its own.
  'mongodb-memory-server-core',
  // type-graphql loads it only where it validates, which it does not here.
  'class-validator',
];

/** The file in the folder of bundles that loads them. */
export const LOADER = 'load.cjs';
/** The name of the warm-up there. */
export const WARM_UP_BUNDLE = 'warm-up';

/** How esbuild bundles, whatever it bundles. */
const OPTIONS = {
  write: false,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: EXTERNAL,
  // Decorators need it, and between files only what is imported comes first for certain.
  inject: ['reflect-metadata'],
  define: { 'import.meta.url': '__moduleUrl', 'import.meta.dirname': '__dirname' },
  minifyWhitespace: true,
  // type-graphql takes the names of types from classes, and bundling renames those that share a file.
  keepNames: true,
  legalComments: 'none',
  sourcemap: 'external',
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
};

/** How esbuild makes a script of a module. The values for the script stand first, see the loader. */
const SCRIPT_OPTIONS = {
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  // A script that is run by hand cannot import; what it loads later it requires later.
  supported: { 'dynamic-import': false },
  banner: '(function(exports,require,module,__filename,__dirname,__moduleUrl){"use strict";',
  footer: '})',
  minifyWhitespace: true,
  legalComments: 'none',
  sourcemap: 'external',
  sourcesContent: false,
  logLevel: 'warning',
};

/**
 * Bundles every program, with the parts that it loads when it needs them in files of their own.
 * @param compiled where the compiled modules are
 * @param folder the folder for the bundles, at its final depth
 * @returns for {@link writeBundles}
 * @throws BuildError
 */
export async function bundlePrograms(compiled, folder) {
  const { build, transform, stop } = loadBundler();
  try {
    const { outputFiles, metafile } = await build({
      ...OPTIONS,
      // Paths from here on go into the names of files. From elsewhere they would lead through the draft, which is never
      // called the same: each build of the same sources would be another.
      absWorkingDir: compiled,
      entryPoints: Object.fromEntries(
        modulesToBundle().map(([name, module]) => [name, join(compiled, module)]),
      ),
      outdir: folder,
    });
    const bundles = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
    const names = [...bundles.keys()].filter((name) => !name.endsWith('.map'));
    const scripts = await Promise.all(
      names.map((name) => toScript(transform, name, bundles.get(name), bundles.get(`${name}.map`))),
    );
    const loader = readFileSync(join(import.meta.dirname, LOADER), 'utf8');
    return { files: [[LOADER, loader], ...scripts.flat()], metafile };
  } catch (error) {
    throw new BuildError(`The programs cannot be bundled: ${error.message}`);
  } finally {
    // Its process would stay beside the program that is started next, as long as that runs.
    await stop();
  }
}

/** The compiled module of each bundle, by its name. */
function modulesToBundle() {
  const libraries = Object.entries(LIBRARIES).map(([name, { module }]) => [name, module]);
  return [...Object.entries(PROGRAMS), ...libraries, [WARM_UP_BUNDLE, WARM_UP]];
}

/**
 * Bundles every package that others import, each module to one file, which loads nothing but what it needs.
 * @param compiled where the compiled modules are, and where the bundles are put: `client/index.js`
 * @throws BuildError
 */
export async function bundlePackages(compiled) {
  const { build, stop } = loadBundler();
  try {
    const options = { bundle: true, format: 'esm', target: 'es2022', charset: 'utf8', logLevel: 'warning' };
    for (const [name, { folder, modules, platform, needs = [] }] of Object.entries(PACKAGES)) {
      if (modules.length === 0) {
        continue;
      }
      await build({
        ...options,
        absWorkingDir: compiled,
        entryPoints: modules.map((module) => ({
          in: join(compiled, folder, `${module}.js`),
          out: join(name, module),
        })),
        outdir: compiled,
        platform,
        ...(needs === 'dependencies' ? { packages: 'external' } : { external: needs }),
      });
    }
  } catch (error) {
    throw new BuildError(`The packages cannot be bundled: ${error.message}`);
  } finally {
    await stop();
  }
}

/**
 * Makes a module a script that the loader runs: V8 takes code that it has made before for scripts, and for modules Node does
 * not offer it.
 * @returns name and text of the script and of its source map
 */
async function toScript(transform, name, module, moduleMap) {
  const inline = Buffer.from(moduleMap).toString('base64');
  const { code, map } = await transform(
    `${module}\n//# sourceMappingURL=data:application/json;base64,${inline}`,
    SCRIPT_OPTIONS,
  );
  return [
    [name, code],
    [`${name}.map`, map],
  ];
}

/** @returns a name for what was written, made from all of it, and from the version of Node, whose code comes beside it */
export function writeBundles({ files, metafile }, folder) {
  const hash = createHash('sha256').update(process.version);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${name}\n${text.length}\n`).update(text);
    writeFileSync(join(folder, name), text);
  }
  writeFileSync(join(folder, 'packages.json'), `${JSON.stringify(packagesOf(metafile), null, 2)}\n`);
  return hash.digest('hex').slice(0, 16);
}

/** For each program the packages in the files that are loaded when it starts, those from node_modules included. */
function packagesOf({ outputs }) {
  const entries = Object.keys(outputs).filter((path) => basename(path, '.js') in PROGRAMS);
  return Object.fromEntries(
    entries.map((entry) => {
      const files = new Set([entry]);
      const packages = new Set();
      for (const file of files) {
        const imports = outputs[file].imports.filter(({ kind }) => kind === 'import-statement');
        for (const { path } of imports.filter(({ external }) => !external)) {
          files.add(path);
        }
        const outside = imports.map(({ path }) => path).filter((path) => EXTERNAL.includes(path));
        for (const name of [...Object.keys(outputs[file].inputs).flatMap(packageOf), ...outside]) {
          packages.add(name);
        }
      }
      return [basename(entry, '.js'), [...packages].sort()];
    }),
  );
}

/** None for a source of our own. */
function packageOf(path) {
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.slice(1) ?? [];
}

function loadBundler() {
  try {
    return createRequire(import.meta.url)('esbuild');
  } catch {
    throw new BuildError(
      'dist/ is not made from these sources, and esbuild is not installed to bundle them. ' +
        'Run npm ci, or bring a dist/ made by npm run build.',
    );
  }
}
