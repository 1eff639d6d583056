// Jest's settings. test/README.md says what the projects are, and how files come into them.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, runCommand, sourceFolders } from './gateway/build/dist.mjs';
import { chooseWorkers } from './test/runner/workers.mjs';

const ROOT = dirname(fileURLToPath(import.meta.url));

/** Compiles first, where that is due: the runner, and the tests that it runs, are those of dist/. */
export default async function configure() {
  await runCommand(ensureBuilt);
  const { divideTests, PROVISIONS } = await import('./dist/test/runner/projects.js');
  const folders = sourceFolders();
  const projects = Object.entries(divideTests(ROOT, folders)).map(([name, files]) => ({
    displayName: name,
    rootDir: ROOT,
    // Not node_modules/ and dist/: Jest need not look for tests there.
    roots: folders.map((folder) => `<rootDir>/${folder}`),
    testRegex: [patternOf(files)],
    testEnvironmentOptions: PROVISIONS[name],
    runner: '<rootDir>/dist/test/runner/index.js',
    setupFiles: ['<rootDir>/dist/test/setup.js'],
    transform: {},
    ...(PROVISIONS[name].store && {
      globalSetup: '<rootDir>/dist/test/global-setup.js',
      globalTeardown: '<rootDir>/dist/test/global-teardown.js',
    }),
  }));
  return {
    projects,
    testSequencer: '<rootDir>/test/runner/sequencer.mjs',
    maxWorkers: await chooseWorkers(),
  };
}

function patternOf(files) {
  const names = files.map((file) => file.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return `^(?:${names.join('|') || '(?!)'})$`;
}
