import {
  type AccountId,
  accountOf,
  ENVIRONMENTS,
  type Environment,
} from '../../../subgraphs/kernel/account.ts';
import type { Rotated } from '../../../subgraphs/kernel/crypto/rotate.ts';
import type { ShardCommands } from '../../../subgraphs/kernel/database/shard-keys.ts';
import { OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import type { ConsoleSessions } from '../../../subgraphs/partners/keys/console-sessions.ts';
import { findLabelIssues } from '../../../subgraphs/partners/keys/label.ts';
import type { ApiKeys } from '../../../subgraphs/partners/keys/service.ts';
import type { Operator, OperatorLog } from '../../../subgraphs/partners/operator-log/index.ts';
import type { Tenant, Tenants } from '../../../subgraphs/partners/tenants/service.ts';
import type { OperatorRemittances } from '../../../subgraphs/remittances/operator-remittances.ts';
import type { Migrations } from '../../../subgraphs/runtime/migrations/migrations.ts';
import type { UserErasure } from '../../../subgraphs/users/use-cases/erase-user.ts';
import type { DeliveryTotalsDocument } from '../../../subgraphs/webhooks/totals.ts';
import type { Act, Acts } from './acts.ts';
import type { EventDivision } from './events.ts';
import type { AdminResumption } from './resumption.ts';
import type { AdminWebhooks } from './webhooks.ts';

export interface ListenOptions {
  readonly accountId: AccountId;
  readonly forward: URL;
  /** The cursor to begin after; default: where the last run stopped, else now. */
  readonly after?: string | undefined;
}

/** The result of a run. */
export interface Listened {
  /** Answered webhooks, with any status. */
  readonly forwarded: number;
  /** Without an answer. */
  readonly failed: number;
  /** The cursor for `--after`, to continue after the last forwarded webhook. */
  readonly cursor: string;
}

/** The dependencies of the commands. */
export interface AdminDeps {
  tenants: Tenants;
  apiKeys: Pick<ApiKeys, 'create' | 'list' | 'revoke'>;
  consoleSessions: Pick<ConsoleSessions, 'createLink' | 'list' | 'revoke'>;
  webhooks: AdminWebhooks;
  resumption: AdminResumption;
  remittances: OperatorRemittances;
  operatorLog: Pick<OperatorLog, 'list'>;
  acts: Pick<Acts, 'record'>;
  /** The person who runs the command. */
  operator: Operator;
  /** The database's time. */
  now(): Date;
  migrations: Migrations & {
    /** Declared indexes that are missing, such as `events: accountId_1_seq_1`. */
    missingIndexes(): Promise<readonly string[]>;
    /** Makes them. */
    makeIndexes(): Promise<void>;
  };
  /** The commands that distribute the database on a sharded cluster. */
  shardCommands(options: { readonly hashed: boolean }): readonly ShardCommands[];
  /** The service's address for clients; undefined when it is not configured. */
  publicUrl: string | undefined;
  /** Unset settings of providers that live calls may need. */
  missingProviders: readonly string[];
  /** Divides the event log into another number of partitions. */
  eventDivision: EventDivision;
  /** Has personal data of users erased. */
  erasure: Pick<UserErasure, 'request'>;
  /** Seals all data again with the current master key, so that former keys are no longer needed. */
  rotateKeys(): Promise<Rotated[]>;
  /** Totals of the tenant's removed webhooks since a day, newest first. */
  webhookTotals(accountId: AccountId, since: Date): Promise<DeliveryTotalsDocument[]>;
  /** Forwards a tenant's webhooks until the process stops. */
  listen(options: ListenOptions): Promise<Listened>;
}

/** The answer of a command: rows to show, or as JSON with `--json`. */
export interface Answer {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** The change that was made; absent: none. */
  readonly act?: Act;
  /** The whole output, in place of the rows. */
  readonly text?: string;
  /** Text above the rows, for people. */
  readonly note?: string;
  /** Next steps, for people. */
  readonly next?: readonly string[];
  /** Of the process; 0 by default. */
  readonly exitCode?: number;
}

/** Thrown for a command line that cannot be run. */
export class UsageError extends OperatorError {
  override readonly name = 'UsageError';
}

/** The given options. */
export type Values = Readonly<Record<string, string | boolean | undefined>>;

/** An option of a command: the name of its value, and its meaning. */
export interface Option {
  readonly type: 'string' | 'boolean';
  /** The name of the value; absent for a flag. */
  readonly value?: string;
  readonly meaning: string;
}

/** One command. */
export interface Command {
  readonly summary: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Required options. */
  readonly required: readonly string[];
  readonly examples: readonly string[];
  /** Whether it runs in one transaction with its entry in the operators' log, which has what its answer says of the act. */
  readonly isAct?: boolean;
  /** Whether it runs on a database that lacks migrations. Other commands need every migration, as a server does. */
  readonly migrates?: boolean;
  run(deps: AdminDeps, values: Values): Promise<Answer>;
}

/** An option with a value. */
export function optionWith(value: string, meaning: string): Option {
  return { type: 'string', value, meaning };
}

/** The text of an option; undefined if the option was not given. */
export function textOf(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** The option `label`; empty when it was not given. @throws UsageError for an invalid label of keys and sessions */
export function labelOf(values: Values): string {
  const label = textOf(values, 'label') ?? '';
  const [issue] = findLabelIssues(label);
  if (issue) {
    throw new UsageError(`--${issue.message}`);
  }
  return label;
}

/** @throws UsageError when the option is missing or empty */
export function requiredText(values: Values, name: string): string {
  const value = textOf(values, name);
  if (value === undefined || value === '') {
    throw new UsageError(`--${name} is required.`);
  }
  return value;
}

/** A list with commas between its items; undefined when the option was not given. */
export function listOf(values: Values, name: string): string[] | undefined {
  return textOf(values, name)
    ?.split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** @throws UsageError that names unknown values */
export function requireKnown(
  name: string,
  given: readonly string[] | undefined,
  known: readonly string[],
): void {
  const unknown = given?.filter((one) => !known.includes(one)) ?? [];
  if (unknown.length > 0) {
    throw new UsageError(`--${name} takes ${known.join(', ')}; not ${unknown.join(', ')}.`);
  }
}

/** The options that choose the environment of a tenant. */
export const ENVIRONMENT_OPTIONS: Readonly<Record<Environment, Option>> = {
  sandbox: {
    type: 'boolean',
    meaning: 'The sandbox environment, the default where the deployment serves it.',
  },
  live: { type: 'boolean', meaning: 'The live environment.' },
};

/** The options of a command about one tenant. */
export const TENANT_OPTIONS: Readonly<Record<string, Option>> = {
  tenant: optionWith('ID', 'The tenant.'),
  ...ENVIRONMENT_OPTIONS,
};

/**
 * The environment that the options choose; undefined when none does.
 * @throws UsageError for both, and for one that the deployment does not serve
 */
function chosenEnvironment(
  { environments }: Pick<AdminDeps['tenants'], 'environments'>,
  values: Values,
): Environment | undefined {
  const [chosen, other] = ENVIRONMENTS.filter((environment) => values[environment] === true);
  if (other !== undefined) {
    throw new UsageError(`Give either --${chosen} or --${other}.`);
  }
  if (chosen !== undefined && !environments.includes(chosen)) {
    throw new UsageError(`ENVIRONMENTS does not have ${chosen}.`);
  }
  return chosen;
}

/** The tenant that an option names, in the chosen environment. @throws UsageError for an unknown tenant */
export async function existingTenant(
  tenants: Pick<AdminDeps['tenants'], 'findStored' | 'environments'>,
  values: Values,
  option: string,
): Promise<Tenant> {
  const [first = 'sandbox'] = tenants.environments;
  return findTenant(tenants, requiredText(values, option), chosenEnvironment(tenants, values) ?? first);
}

/** The tenant that an option names, in the chosen environment, or else in both. @throws UsageError for an unknown tenant */
export async function existingAccounts(
  tenants: Pick<AdminDeps['tenants'], 'findStored' | 'environments'>,
  values: Values,
  option: string,
): Promise<Tenant[]> {
  const tenantId = requiredText(values, option);
  const chosen = chosenEnvironment(tenants, values);
  const environments = chosen === undefined ? ENVIRONMENTS : [chosen];
  return Promise.all(environments.map((environment) => findTenant(tenants, tenantId, environment)));
}

async function findTenant(
  tenants: Pick<AdminDeps['tenants'], 'findStored'>,
  tenantId: string,
  environment: Environment,
): Promise<Tenant> {
  // A command that met another one's change runs again: it must not keep what it read before.
  const tenant = await tenants.findStored(accountOf(tenantId, environment));
  if (!tenant) {
    throw new UsageError(`There is no tenant ${tenantId}.`);
  }
  return tenant;
}
