import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { hasGo } from '../support/registries.ts';
import { CHART } from './chart.ts';
import type { Manifest } from './manifests.ts';

/** The version of Helm that the chart is checked with. Its Go module is helm.sh/helm/v3. */
const VERSION = 'v3.22.0';
/** A version of Kubernetes; a Helm that Go has built names one that is too old. */
const KUBERNETES = '1.30.0';
const FOLDER = resolve('node_modules', '.cache', `helm-${VERSION}`);

/** Whether Helm is built, or can be built. */
export const hasHelm = existsSync(join(FOLDER, 'helm')) || hasGo();

/**
 * Builds Helm with Go, which takes a minute or two; the next call finds it.
 * @throws Error if it cannot be built
 */
export function buildHelm(): void {
  if (!existsSync(join(FOLDER, 'helm'))) {
    execFileSync('go', ['install', `helm.sh/helm/v3/cmd/helm@${VERSION}`], {
      env: { ...process.env, GOBIN: FOLDER },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }
}

/** Runs Helm, which {@link buildHelm} has built. @throws Error with its complaints if it fails */
export function helm(...args: readonly string[]): string {
  return execFileSync(join(FOLDER, 'helm'), [...args, '--kube-version', KUBERNETES], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The objects that the chart makes. @param args options such as `--set` */
export function renderChart(namespace: string, ...args: readonly string[]): Manifest[] {
  const text = helm('template', 'remitgraph', CHART, '--namespace', namespace, ...args);
  return parseAllDocuments(text).flatMap((document) => {
    // The cast: Helm has parsed them as objects of Kubernetes.
    const object = document.toJS() as Manifest | null;
    return object === null ? [] : [object];
  });
}
