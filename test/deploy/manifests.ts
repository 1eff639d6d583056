import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';

const KUBERNETES = 'deploy/kubernetes';

/** A container of the product, as one of the files says. */
export interface Described {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  /** Its arguments of `remitgraph`; `start` where the file says nothing. */
  readonly command: readonly string[];
  /** Seconds from the stop signal until it is killed. */
  readonly graceSeconds: number;
}

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly build?: string;
        readonly command?: readonly string[];
        readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
        readonly environment?: Readonly<Record<string, string>>;
        readonly stop_grace_period?: string;
      }
    >
  >;
}

/** A Kubernetes object. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
}

/** The file as Docker Compose reads it: merged, and variables such as `${NAME:?why}` filled in. */
export function readCompose(variables: Readonly<Record<string, string>>): Compose {
  const text = readFileSync('compose.yaml', 'utf8');
  const filled = text.replaceAll(
    /\$\{(\w+)(?::([?-])([^}]*))?\}/g,
    (whole, name: string, kind?: string, rest = '') => variables[name] ?? (kind === '-' ? rest : whole),
  );
  return parse(filled, { merge: true }) as Compose;
}

/** The product's services in compose.yaml, MongoDB's left out. */
export function describeCompose(variables: Readonly<Record<string, string>>): Described[] {
  return Object.entries(readCompose(variables).services).flatMap(
    ([name, { build, environment = {}, command = ['start'], stop_grace_period = '10s' }]) =>
      build === undefined
        ? []
        : [{ name, env: environment, command, graceSeconds: Number.parseInt(stop_grace_period, 10) }],
  );
}

/** All objects of deploy/kubernetes, the kustomization left out. */
export function readManifests(): Manifest[] {
  return readdirSync(KUBERNETES)
    .filter((file) => file !== 'kustomization.yaml')
    .flatMap((file) => parseAllDocuments(readFileSync(`${KUBERNETES}/${file}`, 'utf8')))
    .map((document) => document.toJS() as Manifest);
}

/** The variables of `.env.example`, each with 64 hexadecimal digits of its own, the same in each run. */
export function exampleSecrets(): Record<string, string> {
  const names = readFileSync('.env.example', 'utf8').matchAll(/^([A-Z_]+)=/gm);
  const digits = (name: string) => createHash('sha256').update(name).digest('hex');
  return Object.fromEntries([...names].map(([, name = '']) => [name, digits(name)]));
}
