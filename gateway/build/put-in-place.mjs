// Puts a build into dist/ while programs may start from it. Plain JavaScript, see dist.mjs.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { LIBRARIES, PROGRAMS } from './programs.mjs';

/** File of dist/ that names the sources of dist/. It is written last: the files beside it are complete. */
export const STAMP = '.sources';
/** Folder of dist/ with a file for each program, which loads the program from the latest build's folder of bundles. */
export const BIN = 'bin';
/** How many folders of bundles are kept, for processes that load a part of theirs late. */
const KEPT_BUILDS = 3;
/** Minimum time that a folder is kept after another has replaced it: a start may take minutes. */
const KEPT_MS = 10 * 60_000;

/**
 * Puts a build in its place. dist/ has no stamp meanwhile: if the process ends halfway, dist/ must not count as the build
 * before, even if the sources are those of that build.
 * @param dist the folder to put it in
 * @param draft a folder beside its files, with `compiled` and `bin`
 * @param build.name name of the bundles, made from all of them
 * @param build.stamp says what the build was made from
 */
export function putInPlace(dist, draft, { name, stamp }) {
  rmSync(join(dist, STAMP), { force: true });
  putModulesInPlace(join(draft, 'compiled'), dist);
  const bin = join(dist, BIN);
  putBundlesInPlace(bin, draft, name);
  removeOldBundles(bin, draft, name);
  writeFileSync(join(draft, 'stamp'), stamp);
  renameSync(join(draft, 'stamp'), join(dist, STAMP));
}

/** Renames each compiled file that differs from the one in dist/: a reader gets the old file or the new one, never a part. */
function putModulesInPlace(compiled, dist) {
  const files = readdirSync(compiled, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  for (const file of files) {
    const made = join(file.parentPath, file.name);
    const target = join(dist, relative(compiled, made));
    // Source maps name their sources relative to dist/; the draft is two folders deeper.
    if (made.endsWith('.map')) {
      writeFileSync(made, readFileSync(made, 'utf8').replace('"sources":["../../', '"sources":["'));
    }
    if (!existsSync(target) || !readFileSync(target).equals(readFileSync(made))) {
      mkdirSync(dirname(target), { recursive: true });
      renameSync(made, target);
    }
  }
}

/** First the complete folder, then the files that load from it. */
function putBundlesInPlace(bin, draft, name) {
  const target = join(bin, name);
  mkdirSync(bin, { recursive: true });
  try {
    renameSync(join(draft, 'bin'), target);
  } catch (error) {
    if (!existsSync(target)) {
      throw error;
    }
    // The same files, of an earlier build or of one that runs at the same time.
  }
  // The folder counts as the latest from now on.
  utimesSync(target, new Date(), new Date());
  for (const program of Object.keys(PROGRAMS)) {
    putFileInPlace(bin, draft, program, `import start from './${name}/load.cjs';\nstart('${program}.js');\n`);
  }
  for (const [library, { exports }] of Object.entries(LIBRARIES)) {
    const loaded = `export const { ${exports.join(', ')} } = start.load('${library}.js');`;
    putFileInPlace(bin, draft, library, `import start from './${name}/load.cjs';\n${loaded}\n`);
  }
}

function putFileInPlace(bin, draft, name, text) {
  writeFileSync(join(draft, name), text);
  renameSync(join(draft, name), join(bin, `${name}.js`));
}

/** Removes each at once, by way of the draft: a part of a folder would count as the bundles of its name. */
function removeOldBundles(bin, draft, name) {
  const builds = readdirSync(bin, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== name)
    .map((entry) => ({ entry: entry.name, made: modifiedAt(join(bin, entry.name)) }))
    .sort((a, b) => b.made - a.made);
  builds.forEach(({ entry }, index) => {
    const replacedAt = builds[index - 1]?.made ?? Date.now();
    if (index >= KEPT_BUILDS - 1 && Date.now() - replacedAt > KEPT_MS) {
      moveIfThere(join(bin, entry), join(draft, `old-${entry}`));
    }
  });
}

function modifiedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** A build that runs at the same time may also remove it. */
function moveIfThere(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (error.code !== 'ENOENT') {
      throw error;
    }
  }
}
