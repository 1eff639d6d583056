import { relative, sep } from 'node:path';

/** A row of COVERAGE.md. */
interface Row {
  readonly rule: string;
  /** `request-money/create: title` of a case, or `path/of.test.ts: title` of a test. */
  readonly proofs: readonly string[];
}

/** A test of a run. */
export interface RanTest {
  /** Below the project, with slashes. */
  readonly file: string;
  /** Titles of the groups that it stands in, from the outermost on, then its own. */
  readonly titles: readonly string[];
  /** `passed`, `failed`, `pending` (skipped) or `todo`. */
  readonly status: string;
}

/** The output of `jest --json`, as far as it is read here. */
interface JestResults {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
}

const TABLE = '| Rule | Proof |';
/** In the title of a table of tests: each of them has a value there. */
const PLACEHOLDER = /%[sdifjop#]/;

/** Reads the rows of COVERAGE.md. @throws for an invalid line of a table */
export function readRows(text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| ') && line !== TABLE)
    .map((line) => {
      const [, rule, proofs] = /^\| (.+?) \| `(.+)` \|$/.exec(line) ?? [];
      if (rule === undefined || proofs === undefined) {
        throw new SyntaxError(`COVERAGE.md: "${line}" is no rule with its proofs`);
      }
      return { rule, proofs: proofs.split('` `') };
    });
}

/** The tests of a run. @param root the project's folder, absolute */
export function readTests({ testResults }: JestResults, root: string): RanTest[] {
  return testResults.flatMap(({ name, assertionResults }) => {
    const file = relative(root, name).replaceAll(sep, '/');
    return assertionResults.map(({ ancestorTitles, title, status }) => ({
      file,
      titles: [...ancestorTitles, title],
      status,
    }));
  });
}

/**
 * Looks for what the rows name among the tests that have run: a proof is a test, or a group of them, and all of them have
 * passed.
 * @returns a line for each proof that proves nothing
 */
export function findUnproven(rows: readonly Row[], tests: readonly RanTest[]): string[] {
  const byFile = new Map<string, RanTest[]>();
  for (const test of tests) {
    const others = byFile.get(test.file) ?? [];
    others.push(test);
    byFile.set(test.file, others);
  }
  return rows.flatMap(({ rule, proofs }) =>
    proofs.flatMap((proof) => {
      const { file, isNamed } = readProof(proof);
      const named = (byFile.get(file) ?? []).filter(isNamed);
      const others = new Set(named.map(({ status }) => status).filter((status) => status !== 'passed'));
      if (named.length > 0 && others.size === 0) {
        return [];
      }
      return `${proof}: ${named.length === 0 ? 'has not run' : [...others].join(', ')} (${rule})`;
    }),
  );
}

/** The test file of a proof, and which of its tests it names. */
function readProof(proof: string): { file: string; isNamed: (test: RanTest) => boolean } {
  const [, path, title = ''] = /^(\S+?): (.+)$/.exec(proof) ?? [];
  if (path === undefined) {
    throw new SyntaxError(`COVERAGE.md: "${proof}" names no test and no case`);
  }
  if (path.endsWith('.test.ts')) {
    const pattern = new RegExp(`^${title.split(PLACEHOLDER).map(literally).join('.*')}$`, 's');
    return { file: path, isNamed: ({ titles }) => titles.some((one) => pattern.test(one)) };
  }
  // `surface.ts` makes a group of each file of a surface.
  const [surface = '', ...group] = path.split('/');
  const isNamed = ({ titles }: RanTest) => titles.at(-2) === group.join('/') && titles.at(-1) === title;
  return { file: `test/contract/${surface}.test.ts`, isNamed };
}

/** As a part of a regular expression that matches nothing else. */
function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
