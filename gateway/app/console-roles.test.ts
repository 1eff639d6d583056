import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  execute,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  parse,
} from 'graphql';
import mongoose from 'mongoose';
import { MUTATION_ACCESS } from '../../subgraphs/graph/console-roles.ts';
import { loadConfig } from '../../subgraphs/kernel/config/load.ts';
import { createLogger } from '../../subgraphs/kernel/log/log.ts';
import {
  CONSOLE_ACCESSES,
  type ConsoleAccess,
  PLATFORM_ACCOUNT,
  type Principal,
} from '../../subgraphs/kernel/principal.ts';
import { SCOPES_OF } from '../../subgraphs/partners/keys/console-session-record.ts';
import { createSubgraphs } from './subgraphs.ts';

let schemas: readonly GraphQLSchema[];
beforeAll(async () => {
  const config = loadConfig({
    NODE_ENV: 'test',
    ENCRYPTION_KEY: '0'.repeat(64),
    API_KEY_PEPPER: '0'.repeat(32),
    INTERNAL_API_KEY: '0'.repeat(16),
  });
  // A call that is let through fails at once, because there is no database.
  mongoose.set('bufferCommands', false);
  const connection = mongoose.createConnection();
  const made = await createSubgraphs({ config, connection, log: createLogger({ level: 'silent' }) });
  schemas = made.schemas.map(({ schema }) => schema);
  await connection.destroy();
});

afterAll(() => {
  mongoose.set('bufferCommands', true);
});

const isHidden = (directives: readonly { readonly name: { readonly value: string } }[] = []) =>
  directives.some(({ name }) => name.value === 'inaccessible');

/** The mutations of all subgraphs, without those that only the REST surface can call. */
function mutations() {
  return schemas.flatMap((schema) =>
    Object.values(schema.getMutationType()?.getFields() ?? {})
      .filter(({ astNode }) => !isHidden(astNode?.directives))
      .map((field) => ({ schema, field })),
  );
}

const SCALARS: Readonly<Record<string, unknown>> = {
  Int: 1,
  Float: 1,
  Boolean: true,
  Date: '2000-01-01',
  DateTime: '2026-01-01T00:00:00.000Z',
  Decimal: '1.00',
  CountryCode: 'MX',
  CurrencyCode: 'MXN',
  JSONObject: {},
};

/** A value that the type accepts, with the required fields alone. */
function sampleOf(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) {
    return sampleOf(type.ofType);
  }
  if (isListType(type)) {
    return [];
  }
  if (isEnumType(type)) {
    return type.getValues()[0]?.name;
  }
  if (isInputObjectType(type)) {
    const required = Object.values(type.getFields()).filter((field) => isNonNullType(field.type));
    return Object.fromEntries(required.map((field) => [field.name, sampleOf(field.type)]));
  }
  return SCALARS[type.name] ?? 'x';
}

function sessionOf(access: ConsoleAccess, isPlatform: boolean): Principal {
  return {
    accountId: isPlatform ? PLATFORM_ACCOUNT : 'acme/sandbox',
    keyId: 'key_1',
    scopes: isPlatform ? ['platform'] : SCOPES_OF[access],
    consoleSession: { sessionId: 'cse_1', label: '', access, expiresAt: Date.now() + 60_000 },
  };
}

/** Whether the mutation begins for the caller; what it does then does not matter. */
async function isLetThrough(
  { schema, field }: ReturnType<typeof mutations>[number],
  principal: Principal,
): Promise<boolean> {
  const required = field.args.filter(({ type }) => isNonNullType(type));
  const declared = required.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const given = required.map(({ name }) => `${name}: $${name}`).join(', ');
  const { errors = [] } = await execute({
    schema,
    document: parse(
      `mutation ${declared && `(${declared})`} { ${field.name} ${given && `(${given})`} { __typename } }`,
    ),
    variableValues: Object.fromEntries(required.map(({ name, type }) => [name, sampleOf(type)])),
    contextValue: { principal, requestId: 'req_1' },
  });
  // An error without a path is one of the document or of the variables: then nothing was asked.
  expect(errors.filter(({ path }) => path === undefined)).toEqual([]);
  return !errors.some(({ extensions }) => extensions.code === 'FORBIDDEN');
}

test('The table of console roles has each mutation of the schema, and no other', () => {
  const names = mutations().map(({ field }) => field.name);
  expect(Object.keys(MUTATION_ACCESS).toSorted()).toEqual(names.toSorted());
});

describe('A console session with the access', () => {
  test.each(CONSOLE_ACCESSES)('%s runs exactly the mutations of its role', async (access) => {
    const allowed = mutations().filter(({ field }) => {
      const lowest = MUTATION_ACCESS[field.name];
      return (
        lowest !== 'key' &&
        lowest !== 'platform' &&
        CONSOLE_ACCESSES.indexOf(access) >= CONSOLE_ACCESSES.indexOf(lowest ?? 'read')
      );
    });
    expect(await findLetThrough(sessionOf(access, false))).toEqual(namesOf(allowed));
  });

  test.each<ConsoleAccess>(['read', 'operate'])('%s of the platform runs only its own', async (access) => {
    const own = mutations().filter(({ field }) => MUTATION_ACCESS[field.name] === 'platform');
    expect(await findLetThrough(sessionOf(access, true))).toEqual(access === 'operate' ? namesOf(own) : []);
  });
});

async function findLetThrough(principal: Principal): Promise<string[]> {
  const asked = await Promise.all(
    mutations().map(async (mutation) => ({ ...mutation, isLet: await isLetThrough(mutation, principal) })),
  );
  return namesOf(asked.filter(({ isLet }) => isLet));
}

function namesOf(of: readonly { readonly field: { readonly name: string } }[]): string[] {
  return of.map(({ field }) => field.name).toSorted();
}
