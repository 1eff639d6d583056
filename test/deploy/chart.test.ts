import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { ENVIRONMENTS } from '../../subgraphs/kernel/account.ts';
import { isSecret, SETTINGS } from '../../subgraphs/kernel/config/schema.ts';
import { keysOf } from '../../subgraphs/kernel/objects.ts';
import { CHART, type ChartValues, readChartValues, readYaml } from './chart.ts';
import { readManifests } from './manifests.ts';

// rendered-chart.test.ts compares everything that the templates render; that takes a minute.

const schema = JSON.parse(readFileSync(`${CHART}/values.schema.json`, 'utf8'));
const isValid = new Ajv({ strict: false }).compile(schema);

describe.each(ENVIRONMENTS)('the values of the chart for %s', (environment) => {
  const values = readChartValues(environment);
  const manifests = readManifests(environment);
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment') as unknown as IDeployment[];
  const scalers = manifests.filter(
    ({ kind }) => kind === 'HorizontalPodAutoscaler',
  ) as unknown as IHorizontalPodAutoscaler[];

  test('are values of its schema', () => {
    isValid(values);
    expect(isValid.errors ?? []).toEqual([]);
  });

  test('have the settings of the manifests, but for the ports, which the templates have', () => {
    const [config] = manifests.filter(({ kind }) => kind === 'ConfigMap');
    const { PORT: _port, METRICS_PORT: _metricsPort, ...settings } = config?.data ?? {};
    expect(values.config).toEqual(settings);
  });

  test.each(deployments.map((deployment) => [String(deployment.metadata?.name), deployment] as const))(
    'have as many processes of %s, with the resources and settings of its manifest',
    (name, { spec }) => {
      const { replicas, autoscaling, env = {} } = values.roles[name] ?? {};
      expect(replicas).toBe(spec?.replicas);
      const scaler = scalers.find(({ metadata }) => metadata?.name === name)?.spec;
      const [metric] = scaler?.metrics ?? [];
      expect(autoscaling).toEqual(
        scaler && {
          minReplicas: scaler.minReplicas,
          maxReplicas: scaler.maxReplicas,
          cpu: metric?.resource?.target.averageValue,
        },
      );
      const [container] = spec?.template.spec?.containers ?? [];
      expect(container?.resources).toEqual(values.resources);
      expect(container?.envFrom?.[1]).toEqual({ secretRef: { name: values.secretName } });
      const own = (container?.env ?? []).filter(({ name: one }) => one !== 'ROLE' && !/_URL$/.test(one));
      expect(env).toEqual(Object.fromEntries(own.map(({ name: one, value }) => [one, value])));
    },
  );
});

test('the deployments of both kinds are the roles of the chart', () => {
  const names = readManifests('live').flatMap(({ kind, metadata }) =>
    kind === 'Deployment' ? [metadata.name] : [],
  );
  expect(Object.keys(readChartValues('live').roles).toSorted()).toEqual(names.toSorted());
  expect(Object.keys(schema.properties.roles.properties).toSorted()).toEqual(names.toSorted());
});

test('a chart goes with the version of the product', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(readYaml('Chart.yaml')).toMatchObject({ version, appVersion: version });
  expect(readFileSync('deploy/kubernetes/base/kustomization.yaml', 'utf8')).toContain(`newTag: ${version} `);
  const images = readManifests('live').flatMap((manifest) =>
    [...JSON.stringify(manifest).matchAll(/"image":"([^"]*)"/g)].map(([, image]) => image),
  );
  expect([...new Set(images)]).toEqual([`remitgraph:${version}`]);
});

describe('the schema of the values refuses', () => {
  const values = readChartValues('live');
  const withConfig = (config: object): object => ({ ...values, config: { ...values.config, ...config } });
  const withGateway = (gateway: object): object => ({
    ...values,
    roles: { ...values.roles, gateway: { ...values.roles.gateway, ...gateway } },
  });
  const { ENVIRONMENTS: _, ...shared } = values.config;

  test.each<[string, object]>([
    ['a deployment of no environment', { ...values, config: shared } satisfies ChartValues],
    ['a misspelt value', { ...values, secretsName: 'remitgraph' }],
    ['a role that the product does not have', { ...values, roles: { ...values.roles, subgraph: {} } }],
    ['replicas beside an autoscaler, which would take turns', withGateway({ replicas: 3 })],
    ['a number as a setting, which Helm may write as 1e+06', withConfig({ MAX_BODY_BYTES: 1_000_000 })],
    ['a port of its own, which no Service leads to', withConfig({ PORT: '5000' })],
    ['a tag as digest', { ...values, image: { repository: 'remitgraph', digest: '0.1.0' } }],
  ])('%s', (_name, wrong) => {
    expect(isValid(wrong)).toBe(false);
  });

  test('every secret among the settings, which everybody who reads ConfigMaps could read', () => {
    const secrets = keysOf(SETTINGS).filter(isSecret);
    expect(secrets.length).toBeGreaterThan(5);
    expect(secrets.filter((name) => isValid(withConfig({ [name]: 'x' })))).toEqual([]);
    expect(isValid(withConfig({ LOG_LEVEL: 'debug' }))).toBe(true);
  });
});
