import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { type Exchange, injectInto } from '../support/http.ts';
import { queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { buildTestApp } from '../support/test-app.ts';

/** A line of `/metrics`. */
interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

interface Panel {
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string }[];
}

const { groups } = parse(readFileSync('deploy/prometheus/alerts.yaml', 'utf8')) as {
  groups: { rules: Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(readFileSync('deploy/grafana/remitgraph.json', 'utf8')) as { panels: Panel[] };
const runbook = readFileSync('deploy/runbook.md', 'utf8');
const objectives = readFileSync('gateway/docs/slo.md', 'utf8').split('\n## ').slice(1);
const QUERIES = [
  ...objectives.map((section) => [firstLine(section), queryIn(section)] as const),
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];

function firstLine(text: string): string {
  return String(text.split('\n')[0]);
}

/** The PromQL of a section; empty where it has none. */
function queryIn(section: string): string {
  return String(/(?<=```promql\n)[^`]*/.exec(section) ?? '');
}

/** Labels that Prometheus adds to what it scrapes, `job` under the name that it then gives the product's. */
const FROM_PROMETHEUS = ['instance', 'job', 'exported_job'];

/** The bound of a bucket. Queries compare buckets with counts, which have none. */
const BOUND = 'le';

/** Of a metric that has no sample yet, because nothing like it has happened. */
const FROM_EVENTS = ['reason'];

/** Of a metric that has samples only where a deployment has the files. */
const SETTINGS_OF_FILES: Readonly<Record<string, readonly string[]>> = {
  certificate_expiry_timestamp_seconds: ['setting'],
};

/** Labels of metrics of others: node_exporter 1.8, the kubelet and kube-state-metrics of Kubernetes 1.30, blackbox_exporter 0.25. */
const OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  node_filesystem_avail_bytes: ['device', 'fstype', 'mountpoint', 'role'],
  node_filesystem_size_bytes: ['device', 'fstype', 'mountpoint', 'role'],
  node_timex_sync_status: ['role'],
  node_timex_maxerror_seconds: ['role'],
  node_timex_offset_seconds: ['role'],
  kubelet_volume_stats_available_bytes: ['namespace', 'persistentvolumeclaim'],
  kubelet_volume_stats_capacity_bytes: ['namespace', 'persistentvolumeclaim'],
  kube_secret_created: ['namespace', 'secret', 'uid'],
  kube_secret_type: ['namespace', 'secret', 'type'],
  probe_ssl_earliest_cert_expiry: [],
};

/** The parts of an expression: names of metrics, and labels with the values that it compares them to. */
function askedBy(expression: string) {
  const names: string[] = [];
  const labels: string[] = [];
  const values: [label: string, value: string][] = [];
  let error: string | undefined;
  parser.parse(expression).iterate({
    enter: ({ type, from, to, node }) => {
      const text = expression.slice(from, to);
      if (type.isError) {
        error = `${from}: ${expression.slice(from)}`;
      } else if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector') {
        names.push(text);
      } else if (type.name === 'LabelName') {
        labels.push(text);
      } else if (type.name === 'UnquotedLabelMatcher') {
        const [, label = '', operator, value = ''] = /^(\w+)(=~|!~|!=|=)"(.*)"$/.exec(text) ?? [];
        labels.push(label);
        if (operator === '=') {
          values.push([label, value]);
        }
      }
    },
  });
  return { names, labels, values, error };
}

/** Reads the text of `/metrics`, and of a metric without samples its name. */
function readMetrics(text: string): Sample[] {
  const named = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', kind]) =>
    kind === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
  const samples = [...text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)].map(([, name = '', labels = '']) => ({
    name,
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
    ),
  }));
  const isSeen = new Set(samples.map(({ name }) => name));
  return [...samples, ...named.filter((name) => !isSeen.has(name)).map((name) => ({ name, labels: {} }))];
}

const scene = useScene();

describe('alerts and dashboard', () => {
  let exchange: Exchange;
  let samples: readonly Sample[];
  beforeAll(async () => {
    const { env } = await scene.deploy();
    const { app, close } = await buildTestApp(env);
    scene.atEnd(close);
    exchange = injectInto(app);
    await queryGraph(exchange, '{ operations(first: 1) { nodes { id } } }');
    const answer = await exchange({ method: 'GET', path: '/metrics' });
    samples = readMetrics(answer.text);
  });

  test.each(QUERIES)('%s is PromQL over metrics, labels and values that are there', (_name, query) => {
    const { names, labels, values, error } = askedBy(query);
    expect(error).toBeUndefined();
    expect(names.length).toBeGreaterThan(0);
    const ofOthers = names.flatMap((name) => OF_OTHERS[name] ?? []);
    for (const name of names.filter((one) => one !== 'up' && !(one in OF_OTHERS))) {
      const found = samples.filter((sample) => sample.name === name);
      expect([name, found.length > 0]).toEqual([name, true]);
      const known = new Set([
        ...FROM_PROMETHEUS,
        ...FROM_EVENTS,
        BOUND,
        ...ofOthers,
        ...(SETTINGS_OF_FILES[name] ?? []),
        ...found.flatMap((sample) => Object.keys(sample.labels)),
      ]);
      expect(labels.filter((label) => !known.has(label))).toEqual([]);
      const asked = values.filter(([label]) => label !== BOUND || name.endsWith('_bucket'));
      for (const [label, value] of asked.filter(([label]) => !FROM_PROMETHEUS.includes(label))) {
        expect(found.map((sample) => sample.labels[label])).toContain(value);
      }
    }
  });

  test('alerts over metrics of others name the scrape job and have the labels of these metrics', () => {
    const { scrape_configs: jobs } = parse(readFileSync('deploy/prometheus/scrape.yaml', 'utf8')) as {
      scrape_configs: { job_name: string }[];
    };
    const own = new Set(samples.map(({ name }) => name));
    const named = new Set<string>();
    for (const { alert, expr } of rules) {
      const { names, values, labels } = askedBy(expr);
      const others = names.filter((name) => name in OF_OTHERS);
      const ofJobs = values.filter(([label]) => label === 'job').map(([, job]) => job);
      expect([alert, ofJobs.filter((job) => !jobs.some((one) => one.job_name === job))]).toEqual([alert, []]);
      // One job for each of them.
      expect([alert, ofJobs.filter((job) => job !== 'remitgraph').length]).toEqual([alert, others.length]);
      if (names.every((name) => name in OF_OTHERS)) {
        const known = [...FROM_PROMETHEUS, ...others.flatMap((name) => OF_OTHERS[name] ?? [])];
        expect([alert, labels.filter((label) => !known.includes(label))]).toEqual([alert, []]);
      }
      for (const name of others) {
        named.add(name);
      }
    }
    expect([...named].sort()).toEqual(Object.keys(OF_OTHERS).sort());
    expect(Object.keys(OF_OTHERS).filter((name) => own.has(name))).toEqual([]);
  });

  test('each alert has its section in the runbook, and each section its alert', async () => {
    const sections = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(rules.map(({ alert }) => alert));
    const { global } = parse(readFileSync('deploy/prometheus/scrape.yaml', 'utf8'));
    expect(global.external_labels).toEqual({ remitgraph_url: expect.stringMatching(/^https:/) });
    const page = await exchange({ method: 'GET', path: '/docs/runbook' });
    for (const { alert, annotations, labels } of rules) {
      const section = alert.toLowerCase();
      expect(annotations.runbook_url).toBe(`{{ $externalLabels.remitgraph_url }}/docs/runbook#${section}`);
      expect(page.text).toContain(`id="${section}"`);
      expect(['page', 'ticket']).toContain(labels.severity);
    }
  });

  test('a name in the runbook that looks like a metric is one', () => {
    const named = [
      ...runbook.matchAll(/\b((?:webhook|remitgraph|graphql|process|http|clock|certificate)_[a-z_]+)\b/g),
    ];
    const known = new Set(samples.map(({ name }) => name.replace(/_(bucket|count|sum)$/, '')));
    const unknown = named
      .map(([, name = '']) => name)
      .filter((name) => !known.has(name) && !samples.some((one) => one.name === name));
    expect(unknown).toEqual([]);
  });

  test('panels do not lie over each other', () => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });
});
