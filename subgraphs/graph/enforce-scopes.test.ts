import 'reflect-metadata';
import { beforeAll, expect, test } from '@jest/globals';
import { type GraphQLSchema, graphql } from 'graphql';
import { Directive, Field, FieldResolver, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { type ConsoleAccess, type Principal, SCOPES, type Scope } from '../kernel/principal.ts';
import { RequiresAllScopes, RequiresScopes } from './requires-scopes.ts';
import { buildSubgraph, type Subgraph } from './subgraph.ts';

@ObjectType({ description: 'Declared for either of two scopes.' })
@Directive('@key(fields: "id")')
@RequiresScopes('partner', 'internal')
class Open {
  @Field(() => ID, { description: 'Its id.' })
  id!: string;

  @RequiresScopes('internal')
  @Field(() => String, { description: 'For the back end.' })
  note!: string;
}

@ObjectType({ description: 'Declares nothing.' })
@Directive('@key(fields: "id")')
class Lent {
  @Field(() => ID, { description: 'Its id.' })
  id!: string;
}

@ObjectType({ description: 'Another subgraph has it; this one lends it a field.' })
@Directive('@key(fields: "id")')
class Foreign {
  @Field(() => ID, { description: 'Its id.' })
  id!: string;

  @Field(() => String, { description: 'Lent, without a declaration of its own.' })
  lent!: string;
}

@Resolver(() => Open)
class Resolvers {
  @RequiresScopes('partner')
  @Query(() => String, { description: 'For partners.' })
  partner(): string {
    return 'partner';
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Query(() => String, { description: 'For those who have both.' })
  admin(): string {
    return 'admin';
  }

  @RequiresScopes('partner')
  @Mutation(() => String, { description: 'Changes something.' })
  change(): string {
    return 'changed';
  }

  @RequiresScopes('partner', 'internal')
  @Query(() => Open, { description: 'For either.' })
  either(): Open {
    return { id: '1', note: 'hidden' };
  }

  @RequiresScopes('partner')
  @FieldResolver(() => String, { description: 'For partners.' })
  resolved(): string {
    return 'resolved';
  }
}

@Resolver()
class LentResolver {
  @RequiresScopes('partner')
  @Query(() => Lent, { description: 'For partners.' })
  lent(): Lent {
    return { id: '1' };
  }

  @RequiresScopes('partner')
  @Query(() => Foreign, { description: 'For partners.' })
  foreign(): Foreign {
    return { id: '1', lent: 'lent' };
  }
}

@Resolver()
class Undeclared {
  @Query(() => String, { description: 'For whom?' })
  undeclared(): string {
    return 'undeclared';
  }
}

let subgraph: Subgraph;

beforeAll(async () => {
  subgraph = await buildSubgraph({
    name: 'things',
    resolvers: [new Resolvers(), new LentResolver()],
    references: { Open: async (these) => these, Lent: async (these) => these },
  });
});

/** The answer to a key with these scopes: the data, or the code of the error. */
async function callOn(schema: GraphQLSchema, source: string, ...scopes: Scope[]): Promise<unknown> {
  const principal = { accountId: 'acme/sandbox', keyId: 'k1', scopes } as const;
  const { data, errors } = await graphql({ schema, source, contextValue: { principal, requestId: 'r1' } });
  return errors ? errors[0]?.extensions.code : data;
}

const call = (source: string, ...scopes: Scope[]) => callOn(subgraph.schema, source, ...scopes);

const entity = (typename: string) =>
  `{ _entities(representations: [{ __typename: "${typename}", id: "1" }]) { __typename } }`;

test('a field requires one of its scopes, or all of them where it declares so', async () => {
  expect(await call('{ partner }', 'partner')).toEqual({ partner: 'partner' });
  expect(await call('{ partner }', 'internal', 'partner_admin')).toBe('FORBIDDEN');
  expect(await call('{ admin }', 'partner', 'partner_admin')).toEqual({ admin: 'admin' });
  expect(await call('{ admin }', 'partner')).toBe('FORBIDDEN');
  expect(await call('{ admin }', 'partner_admin')).toBe('FORBIDDEN');
  expect(await call('{ either { id } }', 'internal')).toEqual({ either: { id: '1' } });
});

test('fields of objects are checked too, with a resolver or without', async () => {
  expect(await call('{ either { note } }', 'internal')).toEqual({ either: { note: 'hidden' } });
  expect(await call('{ either { note } }', 'partner')).toBe('FORBIDDEN');
  expect(await call('{ either { resolved } }', 'partner')).toEqual({ either: { resolved: 'resolved' } });
  expect(await call('{ either { resolved } }', 'internal')).toBe('FORBIDDEN');
});

test('a browser token and a console session for reading change nothing, whatever their scopes', async () => {
  const callWith = async (source: string, shown?: Pick<Principal, 'browserToken' | 'consoleSession'>) => {
    const principal = {
      accountId: 'acme/sandbox',
      keyId: 'k1',
      scopes: SCOPES,
      ...shown,
    } as const;
    const contextValue = { principal, requestId: 'r1' };
    const { data, errors } = await graphql({ schema: subgraph.schema, source, contextValue });
    return errors ? errors[0]?.extensions.code : data;
  };
  const expiresAt = Date.now() + 60_000;
  const sessionFor = (access: ConsoleAccess) => ({
    consoleSession: { sessionId: 'cse_1', label: 'Ana', access, expiresAt },
  });
  for (const reader of [{ browserToken: { tokenId: 'btk_1', expiresAt } }, sessionFor('read')]) {
    expect(await callWith('{ admin }', reader)).toEqual({ admin: 'admin' });
    expect(await callWith('mutation { change }', reader)).toBe('FORBIDDEN');
  }
  expect(await callWith('mutation { change }', sessionFor('admin'))).toEqual({ change: 'changed' });
  expect(await callWith('mutation { change }')).toEqual({ change: 'changed' });
});

test('an entity is for the scopes of its type, and for partners if its type has none', async () => {
  expect(await call(entity('Open'), 'internal')).toEqual({ _entities: [{ __typename: 'Open' }] });
  expect(await call(entity('Open'), 'partner_full')).toBe('FORBIDDEN');
  expect(await call(entity('Lent'), 'partner')).toEqual({ _entities: [{ __typename: 'Lent' }] });
  expect(await call(entity('Lent'), 'internal')).toBe('FORBIDDEN');
});

test('an entity that only lends fields, and is not loaded, is for partners too', async () => {
  expect(await call(entity('Foreign'), 'partner')).toEqual({ _entities: [{ __typename: 'Foreign' }] });
  expect(await call(entity('Foreign'), 'internal')).toBe('FORBIDDEN');
});

test('a schema for gateways elsewhere checks the same', async () => {
  const federated = await subgraph.federatedSchema();
  expect(await callOn(federated, '{ either { id note } }', 'internal')).toEqual({
    either: { id: '1', note: 'hidden' },
  });
  expect(await callOn(federated, '{ partner }', 'internal')).toBe('FORBIDDEN');
  expect(await callOn(federated, '{ either { note } }', 'partner')).toBe('FORBIDDEN');
  for (const typename of ['Open', 'Lent', 'Foreign']) {
    expect(await callOn(federated, entity(typename), 'partner_full')).toBe('FORBIDDEN');
  }
});

test('without a key everything is unauthenticated', async () => {
  for (const source of ['{ partner }', '{ admin }', ...['Open', 'Lent', 'Foreign'].map(entity)]) {
    const { errors } = await graphql({
      schema: subgraph.schema,
      source,
      contextValue: { principal: null, requestId: 'r1' },
    });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED']);
  }
});

test('a field of a root type without scopes stops the build of its subgraph', async () => {
  const definition = { name: 'things', resolvers: [new Undeclared()], references: {} };
  await expect(buildSubgraph(definition)).rejects.toThrow(
    'Query.undeclared does not say by @RequiresScopes who may call it',
  );
});
