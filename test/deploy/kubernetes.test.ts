import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Deployment, type IDeployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { type IJob, Job } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { type IPodDisruptionBudget, PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Secret, Service } from 'kubernetes-models/v1';
import { parse } from 'yaml';
import { ENVIRONMENTS } from '../../subgraphs/kernel/account.ts';
import { loadConfig } from '../../subgraphs/kernel/config/load.ts';
import { ROLES } from '../../subgraphs/kernel/config/roles.ts';
import { URL_SETTINGS } from '../../subgraphs/providers/configured.ts';
import { exampleSecrets, type Manifest, readKustomization, readManifests } from './manifests.ts';

const KINDS = {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  Secret,
  Service,
};
const podOf = (workload: IDeployment | IJob) => {
  const spec = workload.spec?.template.spec;
  const container = spec?.containers[0];
  if (!spec || !container) {
    throw new Error('There is no container');
  }
  return { spec, container };
};

const nameOf = ({ metadata }: IDeployment) => String(metadata?.name);

describe.each(ENVIRONMENTS)('deploy/kubernetes, as the deployment of %s,', (environment) => {
  const manifests = readManifests(environment);
  const ofKind = (kind: keyof typeof KINDS) => manifests.filter((manifest) => manifest.kind === kind);
  const deployments = ofKind('Deployment') as unknown as readonly IDeployment[];

  /** The settings that its container gets from the ConfigMap, the Secret and its own part. */
  function settingsOf(workload: IDeployment | IJob): Record<string, string> {
    const [config] = ofKind('ConfigMap');
    const [secret] = ofKind('Secret');
    const own = (podOf(workload).container.env ?? []).map(({ name, value = '' }) => [name, value]);
    const values = { MONGODB_URI: 'mongodb://db.example/remitgraph', ...exampleSecrets() };
    const secrets = Object.keys(secret?.stringData ?? {}).map((name) => [
      name,
      values[name as keyof typeof values],
    ]);
    return { ...config?.data, ...Object.fromEntries([...secrets, ...own]) };
  }

  test.each(manifests.map((manifest) => [manifest.kind, manifest.metadata.name, manifest] as const))(
    '%s %s has the shape that Kubernetes reads',
    (kind, _name, manifest: Manifest) => {
      const Model = KINDS[kind as keyof typeof KINDS];
      expect([kind, Model.apiVersion]).toEqual([kind, manifest.apiVersion]);
      new Model(manifest as never).validate();
    },
  );

  test('has every file of the base but the example of secrets, in a namespace of its own', () => {
    const { resources } = parse(readFileSync('deploy/kubernetes/base/kustomization.yaml', 'utf8')) as {
      resources: string[];
    };
    const files = readdirSync('deploy/kubernetes/base').filter(
      (file) => !/^(secret|kustomization)/.test(file),
    );
    expect(resources.toSorted()).toEqual(files.toSorted());
    expect(readKustomization(environment)).toMatchObject({
      namespace: `remitgraph-${environment}`,
      resources: ['../base'],
      patches: [{ path: 'config.yaml' }],
    });
  });

  test('names the providers of live calls in live alone', () => {
    const [config] = ofKind('ConfigMap');
    const named = Object.values(URL_SETTINGS).filter(({ live }) => live in (config?.data ?? {}));
    expect(named).toHaveLength(environment === 'live' ? 4 : 0);
  });

  test('runs every role', () => {
    const roles = deployments.map((deployment) => settingsOf(deployment).ROLE);
    expect(roles.sort()).toEqual(ROLES.filter((role) => role !== 'all').sort());
  });

  test.each(deployments.map((deployment) => [nameOf(deployment), deployment] as const))(
    '%s starts with its settings, serves that environment alone, and has time to stop',
    (name, deployment) => {
      const config = loadConfig(settingsOf(deployment));
      expect(config).toMatchObject({ NODE_ENV: 'production', ROLE: name, PORT: 4000 });
      expect(config.ENVIRONMENTS).toEqual([environment]);
      const { spec, container } = podOf(deployment);
      const grace = Number(spec.terminationGracePeriodSeconds);
      expect(grace).toBeGreaterThan(config.DRAIN_SECONDS + config.SUBSCRIPTION_DRAIN_SECONDS + 20);
      const { periodSeconds = 10, failureThreshold = 3 } = container.readinessProbe ?? {};
      const notices = name === 'worker' ? 0 : periodSeconds * failureThreshold;
      expect(config.DRAIN_SECONDS).toBeGreaterThanOrEqual(notices);
    },
  );

  test('a job migrates, with the image and the environment of the others, which leave it to that job', () => {
    const [job, ...others] = ofKind('Job') as unknown as readonly IJob[];
    const { container } = podOf(job as IJob);
    expect([others, container.args]).toEqual([[], ['admin', 'migrate']]);
    expect(loadConfig(settingsOf(job as IJob)).NODE_ENV).toBe('production');
    for (const deployment of deployments) {
      expect(loadConfig(settingsOf(deployment)).MIGRATE_ON_START).toBe(false);
      const { image, envFrom } = podOf(deployment).container;
      expect(container).toMatchObject({ image, envFrom });
    }
  });

  test('all deployments are alike but for names, environment and numbers', () => {
    const shapes = deployments.map((deployment) => {
      const { spec, container } = podOf(deployment);
      const { env: _, ...rest } = container;
      return JSON.stringify({ ...spec, containers: [rest] }).replaceAll(nameOf(deployment), 'NAME');
    });
    expect(new Set(shapes).size).toBe(1);
  });

  test('selectors select the pods of their deployment', () => {
    const labels = new Map(
      deployments.map((deployment) => [nameOf(deployment), deployment.spec?.template.metadata?.labels]),
    );
    for (const { spec, metadata } of deployments) {
      expect(labels.get(String(metadata?.name))).toMatchObject(spec?.selector.matchLabels ?? { none: '' });
    }
    for (const { metadata, ...rest } of [...ofKind('Service'), ...ofKind('PodDisruptionBudget')]) {
      const { spec } = rest as unknown as { spec: { selector: Record<string, unknown> } };
      expect(labels.get(metadata.name)).toMatchObject(spec.selector.matchLabels ?? spec.selector);
    }
  });

  test('a drain of a node moves one process of a role at a time, also the only one', () => {
    const budgets = ofKind('PodDisruptionBudget') as unknown as readonly IPodDisruptionBudget[];
    expect(budgets.map(({ metadata }) => metadata?.name).toSorted()).toEqual(
      deployments.map(nameOf).toSorted(),
    );
    for (const { spec: { selector: _, ...bounds } = {} } of budgets) {
      expect(bounds).toEqual({ maxUnavailable: 1 });
    }
  });

  test('a gateway calls subgraphs by their services', () => {
    const services = ofKind('Service').map(({ metadata }) => metadata.name);
    const gateway = deployments.find((deployment) => nameOf(deployment) === 'gateway');
    const urls = Object.entries(settingsOf(gateway as IDeployment)).filter(([name]) =>
      /^SUBGRAPH_.*_URL$/.test(name),
    );
    expect(urls).toHaveLength(4);
    for (const [, url] of urls) {
      const { hostname, port, pathname } = new URL(url);
      expect([services.includes(hostname), port, pathname]).toEqual([true, '4000', '/graphql']);
    }
  });
});
