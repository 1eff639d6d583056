import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Environment } from '../../subgraphs/kernel/account.ts';

/** The folder of the Helm chart. */
export const CHART = 'deploy/helm';

/** A role in the values of the chart. */
interface RoleValues {
  readonly replicas?: number;
  readonly autoscaling?: { readonly minReplicas: number; readonly maxReplicas: number; readonly cpu: string };
  readonly env?: Readonly<Record<string, string>>;
}

/** The values of the chart. */
export interface ChartValues {
  readonly config: Readonly<Record<string, string>>;
  readonly resources: object;
  readonly secretName: string;
  readonly roles: Readonly<Record<string, RoleValues>>;
}

/** The values of an environment: those of its file over the defaults, as Helm merges them. */
export function readChartValues(environment: Environment): ChartValues {
  const defaults = readYaml('values.yaml') as ChartValues;
  const { config, ...rest } = readYaml(`${environment}.yaml`) as Pick<ChartValues, 'config'>;
  if (Object.keys(rest).length > 0) {
    throw new Error(`${environment}.yaml sets more than \`config\`: merge ${Object.keys(rest)} here too`);
  }
  return { ...defaults, config: { ...defaults.config, ...config } };
}

/** Reads a YAML file of the chart. @param name from the folder of the chart */
export function readYaml(name: string): unknown {
  return parse(readFileSync(`${CHART}/${name}`, 'utf8'));
}
