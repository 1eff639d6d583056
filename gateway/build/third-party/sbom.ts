import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../../subgraphs/kernel/project-root.ts';
import { PACKAGES_OF_PAGES, readLockFile, shippedFolders } from './lock-file.ts';

const MOST_BYTES = 64 * 1024 * 1024;

/**
 * `npm run --silent sbom` prints a software bill of materials (CycloneDX, JSON): the packages that the product ships or that
 * production installs, with digests and licences. `npm sbom` makes it, of a lock file that has only these: `npm sbom --omit=dev`
 * leaves out every package that one for development needs too, such as graphql.
 */
function main(): number {
  const parent = mkdtempSync(join(tmpdir(), 'remitgraph-sbom-'));
  try {
    // npm names the product after its folder.
    const folder = join(parent, 'remitgraph');
    mkdirSync(folder);
    writeProduct(projectRoot(), folder);
    const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
    const { status, stdout, error } = spawnSync('npm', args, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: MOST_BYTES,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (error) {
      throw error;
    }
    process.stdout.write(stdout);
    return status ?? 1;
  } finally {
    rmSync(parent, { recursive: true });
  }
}

/** Writes a package.json and a lock file in which the packages of pages are dependencies, and none is for development. */
function writeProduct(root: string, folder: string): void {
  const lock = readLockFile(root);
  const product = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const ofPages = PACKAGES_OF_PAGES.map((name) => [name, product.devDependencies[name]]);
  const withoutDevelopment = <T extends { readonly dependencies?: object }>(one: T) => ({
    ...one,
    dependencies: { ...one.dependencies, ...Object.fromEntries(ofPages) },
    devDependencies: undefined,
  });
  const packages = Object.fromEntries(shippedFolders(lock).map((path) => [path, lock.packages[path]]));
  const own = withoutDevelopment(lock.packages[''] ?? {});
  write(join(folder, 'package.json'), withoutDevelopment(product));
  write(join(folder, 'package-lock.json'), { ...lock, packages: { '': own, ...packages } });
}

function write(path: string, content: object): void {
  writeFileSync(path, JSON.stringify(content));
}

process.exitCode = main();
