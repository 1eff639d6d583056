import { randomBytes } from 'node:crypto';
import { type ExecutionResult, type GraphQLSchema, graphql } from 'graphql';
import { parse } from 'lossless-json';
import { makeIndexesOnce } from '../../test/support/test-database.ts';
import { buildSubgraph } from '../graph/subgraph.ts';
import type { AccountId } from '../kernel/account.ts';
import { DEFAULT_PARTITIONS } from '../kernel/config/work-settings.ts';
import { createBlindIndex } from '../kernel/crypto/blind-index.ts';
import { createBox } from '../kernel/crypto/box.ts';
import type { Database } from '../kernel/database/open-database.ts';
import { createTransactions, type RunTransaction } from '../kernel/database/transaction.ts';
import { andThen } from '../kernel/errors/result.ts';
import { type Principal, withIncluded } from '../kernel/principal.ts';
import type { ApiKey } from '../partners/keys/record.ts';
import { NO_REVEALS } from '../partners/request-log/testing.ts';
import type { Tenant } from '../partners/tenants/service.ts';
import { createProviders } from '../providers/create.ts';
import type { ProviderCall } from '../providers/types.ts';
import { createEventLog } from '../runtime/events/log.ts';
import { createEventModels } from '../runtime/events/model.ts';
import { readBlockUser } from './commands/block-user.ts';
import { createUsersDeps, type UsersDependencies, type UsersDeps } from './deps.ts';
import { createUsers } from './index.ts';
import type { UsersPort } from './port.ts';
import { createUserService, createUsersPort, type UserService } from './service.ts';

export const START = new Date('2026-11-21T08:00:00.000Z');

const principalOf = (accountId: AccountId): Principal => ({
  accountId,
  keyId: `key_${accountId}`,
  scopes: withIncluded(['partner']),
});
export const acme = principalOf('acme/sandbox');
export const globex = principalOf('globex/sandbox');

/** The one key that the store of keys has. */
const KEYS: readonly ApiKey[] = [
  {
    keyId: acme.keyId,
    accountId: acme.accountId,
    prefix: 'raas_sandbox_abc',
    environment: 'sandbox',
    scopes: acme.scopes,
    label: 'Back office',
    createdAt: START,
  },
];

const tenant = { country: 'MX', countries: ['MX', 'US'], dialCodes: ['+52', '+1'] } as unknown as Tenant;

/** The slice on a real database, with the sandbox's providers. */
export interface Bench {
  readonly deps: UsersDeps;
  readonly service: UserService;
  readonly port: UsersPort;
  readonly transaction: RunTransaction;
  /** Calls of the card and the account provider, in order. */
  readonly calls: ProviderCall[];
  /** The present for the slice. */
  now: Date;
  register(changes?: Readonly<Record<string, unknown>>, by?: Principal): ReturnType<UserService['register']>;
  /** Reads the body of a block first, as its mutation does it. */
  block(by: Principal, userId: string, body: unknown): ReturnType<UserService['block']>;
  /** Registers a user that nobody has seen before. @returns its userId */
  newUser(changes?: Readonly<Record<string, unknown>>, by?: Principal): Promise<string>;
  execute<Data = Record<string, unknown>>(
    document: string,
    variables?: Record<string, unknown>,
    by?: Principal,
  ): Promise<ExecutionResult<Data>>;
}

/** The slice's box for sealing and for lookup digests. */
type Secrets = Pick<UsersDependencies, 'box' | 'blindIndex'>;

function randomSecrets(): Secrets {
  return { box: createBox(randomBytes(32)), blindIndex: createBlindIndex(randomBytes(32)) };
}

export async function createBench(store: Database, secrets: Secrets = randomSecrets()): Promise<Bench> {
  const bench = { now: START };
  const calls: ProviderCall[] = [];
  const dependencies = createDependencies(store, secrets, calls, () => bench.now);
  const deps = createUsersDeps(dependencies);
  const service = createUserService(deps);
  const { schema } = await buildSubgraph(createUsers(dependencies).subgraph);
  await makeIndexesOnce(store.connection);
  const register: Bench['register'] = (changes, by = acme) => service.register(by, jsonOf(changes));
  return Object.assign(bench, {
    deps,
    service,
    port: createUsersPort(deps),
    transaction: dependencies.transaction,
    calls,
    register,
    block: (by: Principal, userId: string, body: unknown) =>
      andThen(readBlockUser(body), (command) => service.block(by, userId, command)),
    newUser: async (changes?: Readonly<Record<string, unknown>>, by?: Principal) => {
      const registered = await register({ ...newPerson(), ...changes }, by);
      if (!registered.ok) {
        throw new Error(JSON.stringify(registered.failures));
      }
      return registered.value.userId;
    },
    execute: <Data>(document: string, variables?: Record<string, unknown>, by: Principal = acme) =>
      execute<Data>(schema, document, variables, by),
  });
}

function createDependencies(
  { connection }: Database,
  secrets: Secrets,
  calls: ProviderCall[],
  clock: () => Date,
): UsersDependencies {
  const { cards, ubn, requireConfigured } = createProviders({ PIPELINE_TENANT_CONCURRENCY: 1 });
  return {
    ...secrets,
    connection,
    providers: {
      cards: { verify: (card, call) => cards.verify(card, called(calls, call)) },
      ubn: { verify: (account, call) => ubn.verify(account, called(calls, call)) },
      requireConfigured,
    },
    tenants: { find: async () => tenant },
    events: createEventLog({
      model: createEventModels(connection).events,
      partitions: DEFAULT_PARTITIONS,
      wake: () => undefined,
    }),
    transaction: createTransactions(connection),
    reveals: NO_REVEALS,
    apiKeys: { find: async (keyId) => KEYS.find((key) => key.keyId === keyId) },
    accountClock: clock,
  };
}

function called(calls: ProviderCall[], call: ProviderCall): ProviderCall {
  calls.push(call);
  return call;
}

async function execute<Data>(
  schema: GraphQLSchema,
  source: string,
  variableValues: Record<string, unknown> | undefined,
  principal: Principal,
): Promise<ExecutionResult<Data>> {
  const contextValue = { principal, requestId: 'r1' };
  const answer = await graphql({ schema, source, variableValues: variableValues ?? {}, contextValue });
  return answer as ExecutionResult<Data>;
}

let people = 0;

/** A phone number and an email that no other person of this test file has. */
export function newPerson(): { phoneNumber: string; email: string } {
  people += 1;
  return { phoneNumber: `+5255${12_340_000 + people}`, email: `ana.${people}@example.com` };
}

/** RegisterUserParams that are in order, with changes; a property set to undefined is left out. */
export function registrationOf(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    phoneNumber: '+525512345678',
    firstName: 'Ana',
    lastName: 'Ruiz',
    email: 'Ana.Ruiz@example.com',
    dob: '1990-02-28',
    address1: 'Avenida Juarez 50',
    countryCode: 'MX',
    city: 'Ciudad de Mexico',
    state: 'MX-CMX',
    ...changes,
  };
}

/** The same as a reader of REST bodies has it: numbers keep their digits. */
export function jsonOf(changes: Readonly<Record<string, unknown>> = {}): unknown {
  return parse(JSON.stringify(registrationOf(changes)));
}

export const CARD = {
  type: 'DebitCard',
  number: '4111 1111 1111 1111',
  nameOnCard: 'ANA RUIZ',
  expirationDate: '1228',
  country: 'MX',
  currency: 'MXN',
};
export const ACCOUNT = { number: '0321 8000 0118 3597 19', currency: 'MXN', country: 'MX' };
export const FRIEND = {
  phoneNumber: '+13125550188',
  firstName: 'Luis',
  lastName: 'Ortega',
  email: 'Luis.Ortega@example.com',
  countryCode: 'US',
};
