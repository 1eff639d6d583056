import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { buildSchema, type ExecutionResult, execute, type GraphQLSchema, parse } from 'graphql';
import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { until } from '../../test/support/until.ts';
import type { AccountId } from '../kernel/account.ts';
import type { RequestContext } from '../kernel/principal.ts';
import { createReadShares, limitReads, type ReadShares } from './limit-reads.ts';
import { RequiresScopes } from './requires-scopes.ts';
import { buildSubgraph } from './subgraph.ts';

const AT_ONCE = 12;
const MANY = 40;
/** For reads that must not begin. */
const PAUSE_MS = 20;

/** A read that has begun, and waits to be answered. */
interface Read {
  readonly accountId: AccountId | undefined;
  answer(): void;
  fail(): void;
}

let shares: ReadShares;
let reads: Read[];
beforeEach(() => {
  shares = createReadShares();
  reads = [];
});

function startRead(_source: unknown, _args: unknown, { principal }: RequestContext): Promise<string[]> {
  return new Promise((resolve, reject) => {
    reads.push({
      accountId: principal?.accountId,
      answer: () => resolve([]),
      fail: () => reject(new Error('The read failed')),
    });
  });
}

function limitedSchema(): GraphQLSchema {
  const schema = buildSchema(`
    type Query { things(first: Int): [String] search(first: Int): [String] thing: [String] page: Page }
    type Page { totalCount: [String] }
    type Mutation { change(first: Int): [String] }
  `);
  const fieldsOf = (type: string) => {
    const found = schema.getType(type);
    return found && 'getFields' in found ? Object.values(found.getFields()) : [];
  };
  for (const field of [...fieldsOf('Query'), ...fieldsOf('Page'), ...fieldsOf('Mutation')]) {
    Object.assign(field, { resolve: field.name === 'page' ? () => ({}) : startRead });
  }
  limitReads(schema, shares);
  return schema;
}

function contextOf(accountId: AccountId | undefined, signal?: AbortSignal): RequestContext {
  const principal =
    accountId === undefined ? null : { accountId, keyId: 'key', scopes: ['partner'] as const };
  return { principal, requestId: 'r', ...(signal && { signal }) };
}

function run(
  selection: string,
  { context = contextOf('acme/sandbox'), times = MANY, schema = limitedSchema(), operation = 'query' } = {},
) {
  const fields = Array.from({ length: times }, (_, index) => `f${index}: ${selection}`);
  const document = parse(`${operation} { ${fields.join(' ')} }`);
  return Promise.resolve(execute({ schema, document, contextValue: context }));
}

/** Until everything that can happen without an answer has happened. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

async function answerAll(): Promise<void> {
  while (reads.length > 0) {
    for (const read of reads.splice(0)) {
      read.answer();
    }
    await settle();
  }
}

describe('Lists and counts of an account', () => {
  test.each(['things(first: 1)', 'page { totalCount }'])('begin a few at a time: %s', async (selection) => {
    const answered = run(selection);
    await settle();
    expect(reads.length).toBe(AT_ONCE);
    reads.shift()?.answer();
    reads.shift()?.fail();
    await settle();
    // A read that fails leaves its place to another one, too.
    expect(reads.length).toBe(AT_ONCE);
    await answerAll();
    expect((await answered).errors).toHaveLength(1);
  });

  test('share their places over all subgraphs of a process, and over all operations', async () => {
    const answered = [run('things(first: 1)'), run('page { totalCount }'), run('things(first: 1)')];
    await settle();
    expect(reads.length).toBe(AT_ONCE);
    await answerAll();
    expect((await Promise.all(answered)).map(({ errors }) => errors)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('do not delay those of another account, nor of its other environment', async () => {
    const accounts = ['acme/sandbox', 'acme/live', 'globex/sandbox'] as const;
    const answered = accounts.map((account) => run('things(first: 1)', { context: contextOf(account) }));
    await settle();
    for (const account of accounts) {
      expect(reads.filter(({ accountId }) => accountId === account)).toHaveLength(AT_ONCE);
    }
    await answerAll();
    await Promise.all(answered);
  });

  test('do not begin when their operation has ended while they waited', async () => {
    const ending = new AbortController();
    const first = run('things(first: 1)', { context: contextOf('acme/sandbox', ending.signal) });
    const second = run('things(first: 1)', { times: 1 });
    await settle();
    ending.abort(new Error('The operation has ended'));
    reads.shift()?.answer();
    await settle();
    // All that waited before it have left the queue, so the other operation is next.
    expect(reads.length).toBe(AT_ONCE);
    await answerAll();
    expect((await first).errors).toHaveLength(MANY - AT_ONCE);
    expect((await second).errors).toBeUndefined();
  });
});

@Resolver()
class ThingsResolver {
  @RequiresScopes('partner')
  @Query(() => [String], { description: 'Things.' })
  things(
    @Arg('first', () => Int, { nullable: true, description: 'Size of the page.' }) first: number | null,
    @Ctx() context: RequestContext,
  ): Promise<string[]> {
    return startRead(undefined, { first }, context);
  }
}

test('Subgraphs limit the lists of their schemas, in the same process and for gateways elsewhere', async () => {
  const definition = { name: 'things', resolvers: [new ThingsResolver()], references: {} };
  const subgraph = await buildSubgraph(definition, shares);
  for (const schema of [subgraph.schema, await subgraph.federatedSchema()]) {
    let answer: ExecutionResult | undefined;
    void run('things(first: 1)', { schema }).then((result) => {
      answer = result;
    });
    // Its resolvers read their arguments asynchronously.
    await until('the first reads', () => reads.length >= AT_ONCE);
    await setTimeout(PAUSE_MS);
    expect(reads.length).toBe(AT_ONCE);
    await until('the answer', async () => {
      await answerAll();
      return answer !== undefined;
    });
    expect(answer?.errors).toBeUndefined();
  }
});

test('A field that reads many indexes is read one at a time, beside lists', async () => {
  const answered = [run('search(first: 1)'), run('things(first: 1)')];
  await settle();
  expect(reads.length).toBe(1 + AT_ONCE);
  await answerAll();
  await Promise.all(answered);
});

test.each<[string, Parameters<typeof run>[1]]>([
  ['thing', {}],
  ['things(first: 1)', { context: contextOf(undefined) }],
])(
  'Fields that are read together, and callers without an account, do not wait: %s',
  async (selection, how) => {
    const answered = run(selection, how);
    await settle();
    expect(reads.length).toBe(MANY);
    await answerAll();
    await answered;
  },
);

test('A mutation does not wait for the lists of its account', async () => {
  const lists = run('things(first: 1)');
  await settle();
  const changed = run('change(first: 1)', { operation: 'mutation', times: 1 });
  await settle();
  expect(reads.length).toBe(AT_ONCE + 1);
  await answerAll();
  await Promise.all([lists, changed]);
});
