import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  isUnionType,
  lexicographicSortSchema,
  printType,
} from 'graphql';
import mongoose from 'mongoose';
import {
  readRequirement,
  requirementOf,
  type ScopeRequirement,
} from '../../subgraphs/graph/enforce-scopes.ts';
import type { Subgraph } from '../../subgraphs/graph/subgraph.ts';
import { loadConfig } from '../../subgraphs/kernel/config/load.ts';
import { createLogger } from '../../subgraphs/kernel/log/log.ts';
import { type Scope, withIncluded } from '../../subgraphs/kernel/principal.ts';
import { createSubgraphs } from './subgraphs.ts';

const NAMES = ['operations', 'users', 'links', 'request-money'];
/** The scopes that keys may have. */
const KEYS: readonly { readonly scopes: readonly Scope[] }[] = [
  { scopes: [] },
  { scopes: ['internal'] },
  { scopes: ['partner'] },
  { scopes: ['partner_full', 'partner_admin'] },
  { scopes: ['partner', 'partner_full'] },
  { scopes: ['partner', 'partner_admin'] },
];

let subgraphs: readonly Subgraph[];
beforeAll(async () => {
  const config = loadConfig({
    NODE_ENV: 'test',
    ENCRYPTION_KEY: '0'.repeat(64),
    API_KEY_PEPPER: '0'.repeat(32),
    INTERNAL_API_KEY: '0'.repeat(16),
  });
  const connection = mongoose.createConnection();
  ({ schemas: subgraphs } = await createSubgraphs({
    config,
    connection,
    log: createLogger({ level: 'silent' }),
  }));
  await connection.destroy();
});

/** Its types, without those that only other gateways need. The root types are described in the SDL alone. */
function print(schema: GraphQLSchema): string {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return Object.values(lexicographicSortSchema(schema).getTypeMap())
    .filter(({ name }) => !/^(__|link__|federation__|_Service$)/.test(name))
    .map((type) => {
      const text = printType(type).replace(/^ {2}_service: _Service!\n/m, '');
      return roots.some((root) => root?.name === type.name) ? text.replace(/^"""[^"]*"""\n/, '') : text;
    })
    .join('\n\n');
}

describe.each(NAMES)('%s', (name) => {
  test('is in one process the same subgraph that @apollo/subgraph builds', async () => {
    const subgraph = subgraphs.find((one) => one.name === name) as Subgraph;
    expect(print(subgraph.schema)).toBe(print(await subgraph.federatedSchema()));
    expect(print(subgraph.schema)).toContain('_entities(representations: [_Any!]!): [_Entity]!');
  });

  test('has the same resolvers in both', async () => {
    const subgraph = subgraphs.find((one) => one.name === name) as Subgraph;
    const resolved = resolvedFields(subgraph.schema);
    const federated = resolvedFields(await subgraph.federatedSchema());
    expect(resolved).toEqual(federated.filter((field) => field !== 'Query._service'));
    expect(resolved).toContain('Query._entities');
  });

  test.each(KEYS)('leads a key with $scopes by no field to a type that is not for it', ({ scopes }) => {
    const subgraph = subgraphs.find((one) => one.name === name) as Subgraph;
    expect(typesBeyond(subgraph.schema, withIncluded(scopes))).toEqual([]);
  });
});

/** The types that require more than these scopes, but that a holder of these scopes can reach. */
function typesBeyond(schema: GraphQLSchema, scopes: readonly string[]): string[] {
  const holds = (requirement: ScopeRequirement | undefined) =>
    requirement === undefined || requirement.some((all) => all.every((scope) => scopes.includes(scope)));
  const entity = schema.getType('_Entity');
  const entities = isUnionType(entity) ? entity.getTypes() : [];
  const reached = new Set([
    ...[schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap(
      (root) => root ?? [],
    ),
    ...entities.filter((type) => holds(requirementOf(schema, type.name) ?? [['partner']])),
  ]);
  for (const type of reached) {
    for (const field of Object.values(type.getFields())) {
      const next = getNamedType(field.type);
      if (isObjectType(next) && holds(readRequirement(field.astNode?.directives))) {
        reached.add(next);
      }
    }
  }
  return [...reached].map(({ name }) => name).filter((name) => !holds(requirementOf(schema, name)));
}

/** Fields with their own resolver or subscription, and abstract types with a type resolver. */
function resolvedFields(schema: GraphQLSchema): string[] {
  return Object.values(schema.getTypeMap())
    .filter((type) => !type.name.startsWith('__'))
    .flatMap((type) => {
      const fields = 'getFields' in type ? Object.values(type.getFields()) : [];
      const own = fields
        .filter((field) => ('resolve' in field && field.resolve) || ('subscribe' in field && field.subscribe))
        .map((field) => `${type.name}.${field.name}`);
      return 'resolveType' in type && type.resolveType ? [type.name, ...own] : own;
    })
    .toSorted();
}
