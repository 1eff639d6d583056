import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { extract, parse } from 'jest-docblock';
import type { Provisions } from './protocol.ts';

export type ProjectName = 'unit' | 'store' | 'process' | 'full';

const EVERYWHERE = {
  followsPace: true,
  // Of tests only those stop the event loop that wait for a program, such as `ps`; never as long as this.
  silenceMs: 120_000,
  memoryBytes: 1.2 * 1024 ** 3,
};

// A split deployment is six processes that start on two cores, which may be busy.
const PROCESSES = { ...EVERYWHERE, store: true, processes: true, timeoutMs: 300_000, hookTimeoutMs: 600_000 };

/** The provisions of each project for its tests; a file that takes more than that fails. */
export const PROVISIONS: Readonly<Record<ProjectName, Provisions>> = {
  unit: { ...EVERYWHERE, store: false, processes: false, timeoutMs: 120_000, hookTimeoutMs: 120_000 },
  store: { ...EVERYWHERE, store: true, processes: false, timeoutMs: 120_000, hookTimeoutMs: 120_000 },
  process: PROCESSES,
  full: PROCESSES,
};

interface Source {
  readonly content: string;
  /** The files that it imports, and uses at run time. */
  readonly imports: readonly string[];
}

type Sources = ReadonlyMap<string, Source>;

/** In the comment at the top of a file whose tested code starts processes, not the tests' own modules. */
const STARTS_PROCESSES = 'starts-processes';
/** In the comment at the top of a file that `npm test` leaves to `npm run test:full`. */
const ONLY_IN_FULL = 'only-in-full';
const RELATIVE_IMPORT = /^(?:import|export) (?!type )(?:[^'";]* from )?'(\.[^']+)'|import\('(\.[^']+)'\)/gm;
const STARTS = /from '(?:node:)?(?:child_process|cluster)'/;
const USES_STORE = /\bTEST_MONGODB_URI\b/;
/** The product's own modules start processes too: that a test imports one does not mean that it does. */
const FOR_TESTS = /(?:^|[\\/])(?:test[\\/]|testing[^\\/]*(?:[\\/]|\.ts$))|\.test\.ts$/;

/**
 * Divides all test files among the projects, by their imports and the comments at their tops:
 * - `full`: it says `@only-in-full`;
 * - `process`: itself, or a module that only tests use, imports `node:child_process`; or it says `@starts-processes`;
 * - `store`: itself, or any module that it reaches, names the run's store;
 * - `unit`: all others.
 * @returns absolute paths
 */
export function divideTests(root: string, folders: readonly string[]): Record<ProjectName, string[]> {
  const sources = readSources(root, folders);
  const projects: Record<ProjectName, string[]> = { unit: [], store: [], process: [], full: [] };
  const isForTests = (path: string) => FOR_TESTS.test(relative(root, path));
  for (const path of [...sources.keys()].filter((one) => one.endsWith('.test.ts')).sort()) {
    projects[projectOf(path, sources, isForTests)].push(path);
  }
  return projects;
}

function projectOf(path: string, sources: Sources, isForTests: (path: string) => boolean): ProjectName {
  const reached = reachFrom(path, sources);
  const content = (one: string) => sources.get(one)?.content ?? '';
  const pragmas = parse(extract(content(path)));
  if (ONLY_IN_FULL in pragmas) {
    return 'full';
  }
  if (STARTS_PROCESSES in pragmas || reached.some((one) => isForTests(one) && STARTS.test(content(one)))) {
    return 'process';
  }
  return reached.some((one) => USES_STORE.test(content(one))) ? 'store' : 'unit';
}

/** The file and everything that it imports, directly or not. */
function reachFrom(path: string, sources: Sources): string[] {
  // The set grows while it is walked.
  const reached = new Set([path]);
  for (const one of reached) {
    for (const imported of sources.get(one)?.imports ?? []) {
      reached.add(imported);
    }
  }
  return [...reached];
}

function readSources(root: string, folders: readonly string[]): Sources {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(root, folder, name)),
  );
  return new Map(paths.map((path) => [path, readSource(path)]));
}

function readSource(path: string): Source {
  const content = readFileSync(path, 'utf8');
  const imports = [...content.matchAll(RELATIVE_IMPORT)].map(([, from, dynamic]) =>
    join(dirname(path), from ?? dynamic ?? ''),
  );
  return { content, imports };
}
