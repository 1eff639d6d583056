import { dirname, join, normalize } from 'node:path';

/** A part of the product, and the other parts that its files may import. */
interface Part {
  /** Beginnings of paths; a whole path for a single file. */
  readonly imports: readonly string[];
  /** Further imports that its tests may have; default: none. */
  readonly tests?: readonly string[];
}

const ANYTHING = [''];
const OF_SUBGRAPHS = [
  ...['kernel', 'runtime', 'graph', 'webhook-events', 'partners', 'webhooks', 'account', 'providers'],
  'operational-events',
];
const SLICES = ['ledger', 'users', 'links', 'operations', 'remittances', 'request-money'];
const below = (...names: readonly string[]) => names.map((name) => `subgraphs/${name}/`);
/** Tests of a subgraph reach every other one, but no gateway, no REST surface and no development store. */
const tests = ['test/', ...below(...OF_SUBGRAPHS, ...SLICES)];
/** A slice uses those before it, each only through the port that its index.ts exports. */
const slice = (name: string): Part => {
  const ports = SLICES.slice(0, SLICES.indexOf(name)).map((one) => `subgraphs/${one}/index.ts`);
  return {
    imports: [
      ...below('kernel', 'runtime', 'graph', 'webhook-events', 'partners', 'webhooks', 'providers'),
      ...ports,
    ],
    tests,
  };
};

/** The arrows between the parts of the product: each imports only parts below it. The longest name that fits a path counts. */
const PARTS: Readonly<Record<string, Part>> = {
  'subgraphs/kernel/': { imports: [], tests },
  'subgraphs/dev-store/': { imports: below('kernel'), tests },
  'subgraphs/runtime/': { imports: below('kernel'), tests },
  'subgraphs/graph/': { imports: [...below('kernel'), 'subgraphs/runtime/events/index.ts'], tests },
  'subgraphs/webhook-events/': { imports: below('kernel'), tests },
  'subgraphs/partners/': { imports: below('kernel', 'runtime', 'graph', 'webhook-events'), tests },
  'subgraphs/providers/': { imports: below('kernel', 'runtime', 'graph'), tests },
  'subgraphs/webhooks/': {
    imports: below('kernel', 'runtime', 'graph', 'webhook-events', 'partners/tenants'),
    tests,
  },
  'subgraphs/account/': {
    imports: below('kernel', 'runtime', 'graph', 'webhook-events', 'partners', 'webhooks'),
    tests,
  },
  'subgraphs/operational-events/': {
    imports: below('kernel', 'runtime', 'webhook-events', 'partners', 'webhooks'),
    tests,
  },
  ...Object.fromEntries(SLICES.map((name) => [`subgraphs/${name}/`, slice(name)])),
  'rest-compat/': { imports: ['subgraphs/', 'schema/'], tests: ANYTHING },
  'schema/': { imports: ANYTHING },
  'gateway/': { imports: ANYTHING },
  // A package in all but name: it knows nothing of the product, not even types.
  'gateway/engine/': { imports: [], tests: ['test/support/until.ts', 'test/support/held-time.ts'] },
  // All three run in browsers.
  'gateway/client/': { imports: [] },
  'gateway/clients/': { imports: ['gateway/client/'], tests: ANYTHING },
  'gateway/console/': {
    imports: ['gateway/client/index.ts', 'subgraphs/graph/longest-span.ts'],
    tests: ANYTHING,
  },
  'test/': { imports: ANYTHING },
};

/** Files that may be reached through few doors, whatever their importer may import else. */
const DOORS: readonly {
  readonly into: string;
  readonly by: readonly string[];
  readonly from: readonly string[];
}[] = [
  { into: 'gateway/engine/', by: ['gateway/engine/index.ts'], from: [] },
  // Production never loads it.
  { into: 'subgraphs/dev-store/', by: [], from: ['gateway/app/', 'gateway/cli/', 'gateway/standalone/'] },
];
/** For tests, and what only they use. */
const DOORS_OF_TESTS = ['gateway/engine/testing/index.ts', 'subgraphs/dev-store/'];

/** Tests, and what only they use. */
export const FOR_TESTS = /\.test\.tsx?$|(?:^|\/)(?:test|testing[^/]*)(?:\/|\.ts$)/;
const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/** The files that a file imports, by relative paths. @param content of the file at `path`, below the project's folder */
export function importsOf(path: string, content: string): string[] {
  return [...content.matchAll(IMPORT)].map(([, name = '']) => normalize(join(dirname(path), name)));
}

/** Imports that cross a border of the product's parts. */
export function forbiddenImports(path: string, content: string): string[] {
  return importsOf(path, content)
    .filter((imported) => !mayImport(path, imported))
    .map((imported) => `${path} imports ${imported}`);
}

function mayImport(path: string, imported: string): boolean {
  const part = partOf(path);
  if (part === undefined || partOf(imported) === part) {
    return true;
  }
  const isTest = FOR_TESTS.test(path);
  const { imports, tests: more = [] } = PARTS[part] as Part;
  const allowed = isTest ? [...imports, ...more] : imports;
  const isBelow = allowed.some((beginning) => imported.startsWith(beginning));
  const door = DOORS.find(({ into }) => imported.startsWith(into));
  return (
    isBelow &&
    (door === undefined ||
      [...door.by, ...(isTest ? DOORS_OF_TESTS : [])].some((one) => imported.startsWith(one)) ||
      door.from.some((one) => path.startsWith(one)))
  );
}

function partOf(path: string): string | undefined {
  return Object.keys(PARTS)
    .filter((part) => path.startsWith(part))
    .toSorted((one, other) => other.length - one.length)[0];
}
