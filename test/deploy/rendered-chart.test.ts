/** @only-in-full */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1';
import { ENVIRONMENTS, type Environment } from '../../subgraphs/kernel/account.ts';
import { CHART } from './chart.ts';
import { buildHelm, hasHelm, helm, renderChart } from './helm.ts';
import { type Manifest, readManifests } from './manifests.ts';

const BUILD_MS = 10 * 60_000;
const CHECKSUM = 'checksum/config';
const itRenders = hasHelm ? test : test.skip;
const reason = hasHelm ? '' : ' (skipped: Go, which builds Helm, or its registry is not there)';

/** The parts of a workload that a test reads; all objects have `kind` and `metadata`. */
interface Workload extends Manifest {
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
      readonly spec: {
        readonly containers: readonly { readonly env: readonly { readonly name: string }[] }[];
      };
    };
  };
}

const isWorkload = (one: Manifest): one is Workload => ['Deployment', 'Job'].includes(one.kind);
const renderLive = (...args: readonly string[]) => renderChart('live', '-f', `${CHART}/live.yaml`, ...args);
const deploymentsOf = (objects: readonly Manifest[]) =>
  objects.filter(({ kind }) => kind === 'Deployment') as unknown as IDeployment[];

/** By kind and name. The order of a container's variables means nothing, because none refers to another. */
function byName(objects: readonly Manifest[]): Record<string, Manifest> {
  const sorted = objects.map((one) => {
    if (!isWorkload(one)) {
      return one;
    }
    const { template } = one.spec;
    const containers = template.spec.containers.map((container) => ({
      ...container,
      env: container.env.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    }));
    return {
      ...one,
      spec: { ...one.spec, template: { ...template, spec: { ...template.spec, containers } } },
    };
  });
  const names = sorted.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(new Set(names).size).toBe(names.length);
  return Object.fromEntries(sorted.map((one, index) => [names[index], one]));
}

/** The Job as the manifests name it: one that the chart makes has the revision and a digest in its name. */
function withoutOwnName(one: Manifest): Manifest {
  const name = one.metadata.name.replace(/^migrate-1-[0-9a-f]{10}$/, 'migrate');
  return one.kind === 'Job' ? { ...one, metadata: { ...one.metadata, name } } : one;
}

/** The manifests as the chart has them, with the two differences that it must have. */
function expectedOf(environment: Environment): Manifest[] {
  // The chart uses a Secret that is there.
  return readManifests(environment)
    .filter(({ kind }) => kind !== 'Secret')
    .map((one) => {
      if (!isWorkload(one) || one.kind === 'Job') {
        return one;
      }
      // A changed setting replaces pods.
      const { template } = one.spec;
      const annotations = {
        ...template.metadata.annotations,
        [CHECKSUM]: expect.stringMatching(/^[0-9a-f]{64}$/),
      };
      const metadata = { ...template.metadata, annotations };
      return { ...one, spec: { ...one.spec, template: { ...template, metadata } } };
    });
}

beforeAll(() => {
  if (hasHelm) {
    buildHelm();
  }
}, BUILD_MS);

describe('The chart', () => {
  for (const environment of ENVIRONMENTS) {
    itRenders(`renders the manifests of ${environment}${reason}`, () => {
      const rendered = renderChart(`remitgraph-${environment}`, '-f', `${CHART}/${environment}.yaml`);
      expect(byName(rendered.map(withoutOwnName))).toEqual(byName(expectedOf(environment)));
    });

    itRenders(`passes the strict linter of Helm with the values of ${environment}${reason}`, () => {
      expect(helm('lint', '--strict', CHART, '-f', `${CHART}/${environment}.yaml`)).toContain(
        '0 chart(s) failed',
      );
    });
  }

  itRenders(`uses the image, the Secret and the credentials that its values name${reason}`, () => {
    const digest = `sha256:${'ab'.repeat(32)}`;
    const named = ['image.repository=registry.example.com/remitgraph', `image.digest=${digest}`];
    const settings = [...named, 'secretName=remitgraph-2', 'image.pullSecrets={robot}'].join();
    const workloads = renderLive('--set', settings).filter(isWorkload);
    expect(workloads).toHaveLength(7);
    for (const { spec } of workloads) {
      expect(spec.template.spec).toMatchObject({
        imagePullSecrets: [{ name: 'robot' }],
        containers: [
          {
            image: `registry.example.com/remitgraph@${digest}`,
            envFrom: [{ configMapRef: { name: 'remitgraph' } }, { secretRef: { name: 'remitgraph-2' } }],
          },
        ],
      });
    }
    const [tagged] = deploymentsOf(renderLive('--set', 'image.tag=0.2.0'));
    expect(tagged?.spec?.template.spec?.containers[0]?.image).toBe('remitgraph:0.2.0');
  });

  itRenders(`gives all pods the files that its values name${reason}`, () => {
    const workloads = renderLive(
      ...['--set', 'volumes[0].name=certificates,volumes[0].secret.secretName=tls'],
      ...['--set', 'volumeMounts[0].name=certificates,volumeMounts[0].mountPath=/etc/remitgraph'],
    ).filter(isWorkload);
    expect(workloads).toHaveLength(7);
    for (const { spec } of workloads) {
      expect(spec.template.spec).toMatchObject({
        volumes: [{ name: 'certificates', secret: { secretName: 'tls' } }],
        containers: [{ volumeMounts: [{ name: 'certificates', mountPath: '/etc/remitgraph' }] }],
      });
    }
  });

  itRenders(`sizes each role by itself${reason}`, () => {
    const objects = renderLive(
      ...['--set', 'roles.gateway.autoscaling=null,roles.gateway.replicas=5'],
      ...[
        '--set',
        'roles.worker.resources.limits.memory=1Gi',
        '--set-string',
        'roles.worker.env.PIPELINE_CONCURRENCY=8',
      ],
    );
    const scalers = objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
    expect(scalers.map(({ metadata }) => metadata.name)).toEqual(['worker']);
    const [gateway, worker] = ['gateway', 'worker'].map((name) =>
      deploymentsOf(objects).find(({ metadata }) => metadata?.name === name),
    );
    expect(gateway?.spec?.replicas).toBe(5);
    expect(worker?.spec?.template.spec?.containers[0]).toMatchObject({
      resources: { limits: { memory: '1Gi' } },
      env: [
        { name: 'ROLE', value: 'worker' },
        { name: 'PIPELINE_CONCURRENCY', value: '8' },
      ],
    });
  });

  itRenders(`replaces pods when a setting changes, and only then${reason}`, () => {
    const checksums = (...args: readonly string[]) =>
      new Set(
        deploymentsOf(renderLive(...args)).map(
          ({ spec }) => spec?.template.metadata?.annotations?.[CHECKSUM],
        ),
      );
    const usual = checksums();
    expect(usual.size).toBe(1);
    expect(checksums('--set', 'monitoringNamespace=prometheus')).toEqual(usual);
    expect(checksums('--set', 'config.LOG_LEVEL=debug')).not.toEqual(usual);
  });

  itRenders(`makes a new Job when a value changes, also where the revision is always 1${reason}`, () => {
    const nameOfJob = (...args: readonly string[]) =>
      renderLive(...args).find(({ kind }) => kind === 'Job')?.metadata.name;
    expect(nameOfJob()).toBe(nameOfJob());
    expect(nameOfJob('--set', 'image.tag=0.2.0')).not.toBe(nameOfJob());
  });

  itRenders(`leads a host to the gateways, with TLS${reason}`, () => {
    const set = 'ingress.host=api.example.com,ingress.className=nginx,ingress.tlsSecretName=api-tls';
    const buffering = String.raw`ingress.annotations.nginx\.ingress\.kubernetes\.io/proxy-buffering=off`;
    const [ingress] = renderLive('--set', set, '--set-string', buffering).filter(
      ({ kind }) => kind === 'Ingress',
    );
    new Ingress(ingress as never).validate();
    expect(ingress).toMatchObject({
      metadata: { annotations: { 'nginx.ingress.kubernetes.io/proxy-buffering': 'off' } },
      spec: {
        ingressClassName: 'nginx',
        tls: [{ hosts: ['api.example.com'], secretName: 'api-tls' }],
        rules: [
          {
            host: 'api.example.com',
            http: {
              paths: [{ path: '/', backend: { service: { name: 'gateway', port: { name: 'http' } } } }],
            },
          },
        ],
      },
    });
  });

  itRenders(`refuses values that its schema does not allow${reason}`, () => {
    expect(() => renderChart('live')).toThrow("missing property 'ENVIRONMENTS'");
    expect(() => renderLive('--set', 'config.ENCRYPTION_KEY=x')).toThrow(
      "invalid propertyName 'ENCRYPTION_KEY'",
    );
    expect(() => renderLive('--set', 'roles.gateway.replicas=3')).toThrow("'oneOf' failed");
  });
});
