import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import type { Environment } from '../../subgraphs/kernel/account.ts';

const KUBERNETES = 'deploy/kubernetes';
const BASE = `${KUBERNETES}/base`;

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
  /** Name of the project: of its containers, networks and volumes. */
  readonly name: string;
  readonly volumes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly services: Readonly<
    Record<
      string,
      {
        readonly build?: string;
        readonly command?: readonly string[];
        readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
        readonly environment?: Readonly<Record<string, string>>;
        readonly ports?: readonly string[];
        readonly stop_grace_period?: string;
      }
    >
  >;
}

/** A Kubernetes object. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
}

/** The variables of a deployment: those of its file in deploy/compose, and secrets. */
export function composeVariables(environment: Environment): Record<string, string> {
  return { ...readComposeEnv(environment), ...exampleSecrets() };
}

/** The variables of a file of deploy/compose. */
export function readComposeEnv(environment: Environment): Record<string, string> {
  // The cast: a name that the file has is never undefined.
  return parseEnv(readFileSync(`deploy/compose/${environment}.env`, 'utf8')) as Record<string, string>;
}

/** The file as Docker Compose reads it: merged, and variables such as `${NAME:?why}` filled in. */
export function readCompose(variables: Readonly<Record<string, string>>): Compose {
  const text = readFileSync('compose.yaml', 'utf8');
  const filled = text.replaceAll(
    /\$\{(\w+)(?::([?-])([^}]*))?\}/g,
    (whole, name: string, kind?: string, rest = '') => variables[name] || (kind === '-' ? rest : whole),
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

/** The kustomization of a deployment: its own values over those of `base`. */
interface Kustomization {
  readonly namespace: string;
  readonly resources: readonly string[];
  readonly patches: readonly { readonly path: string }[];
}

/** The kustomization of an environment. */
export function readKustomization(environment: Environment): Kustomization {
  return parse(readFileSync(`${KUBERNETES}/${environment}/kustomization.yaml`, 'utf8')) as Kustomization;
}

/**
 * All objects of an environment, as its kustomization makes them; the example of the Secret is among them.
 * @throws Error for a patch of an object that `base` does not have
 */
export function readManifests(environment: Environment): Manifest[] {
  const { namespace, patches } = readKustomization(environment);
  const base = readdirSync(BASE)
    .filter((file) => file !== 'kustomization.yaml')
    .flatMap((file) => readObjects(`${BASE}/${file}`));
  const changes = patches.flatMap(({ path }) => readObjects(`${KUBERNETES}/${environment}/${path}`));
  for (const change of changes) {
    if (!base.some((manifest) => isSameObject(change, manifest))) {
      throw new Error(`${environment} changes an object that is not there: ${change.metadata.name}`);
    }
  }
  return base.map((manifest) => {
    const change = changes.find((one) => isSameObject(one, manifest));
    const data = change ? { data: { ...manifest.data, ...change.data } } : {};
    return { ...manifest, ...data, metadata: { ...manifest.metadata, namespace } };
  });
}

function isSameObject(one: Manifest, other: Manifest): boolean {
  return one.kind === other.kind && one.metadata.name === other.metadata.name;
}

function readObjects(path: string): Manifest[] {
  return parseAllDocuments(readFileSync(path, 'utf8')).map((document) => document.toJS() as Manifest);
}

/** The variables of `.env.example`, each with 64 hexadecimal digits of its own, the same in each run. */
export function exampleSecrets(): Record<string, string> {
  const names = readFileSync('.env.example', 'utf8').matchAll(/^([A-Z_]+)=/gm);
  const digits = (name: string) => createHash('sha256').update(name).digest('hex');
  return Object.fromEntries([...names].map(([, name = '']) => [name, digits(name)]));
}
