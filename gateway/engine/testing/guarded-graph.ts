import type { ExecutionResult } from 'graphql';
import { type Engine } from '../api.ts';
import { buildEngine, type EngineOptions } from '../engine.ts';
import { createInProcessTransport } from '../transports/in-process.ts';
import { createTestGraph, type TestContext, type TestGraph, testContext } from './graph.ts';

/** The context of a caller with these scopes. */
export function holding(...scopes: readonly string[]): TestContext {
  return testContext({ caller: { scopes } });
}

/** The context of a caller that is not known. */
export const NOBODY = testContext();

/** A result as a client gets it: errors as position and code. */
export function outcome(result: ExecutionResult): { data: unknown; errors: readonly string[] } {
  const errors = (result.errors ?? []).map(
    ({ path, extensions }) => `${path?.join('.')} ${String(extensions.code)}`,
  );
  return { data: JSON.parse(JSON.stringify(result.data ?? null)), errors };
}

const ANN = { number: '1', id: 'u1', name: 'Ann', email: 'ann@example.org', tier: 'GOLD', ssn: '111' };
const BOB = { number: '2', id: 'u2', name: 'Bob', email: 'bob@example.org', tier: 'BASIC', ssn: '222' };
const WORKS = [
  { __typename: 'Song', title: 'Sung', notes: 'loud' },
  { __typename: 'Film', title: 'Shown', notes: 'long' },
];

/** The calls of the resolvers of the graph below. */
export const calls: string[] = [];

/** People and their works: guarded fields, types, scalars and enums over two subgraphs. */
export function createGuardedGraph(engine: Partial<EngineOptions<TestContext>> = {}): TestGraph {
  return createTestGraph({
    engine,
    subgraphs: {
      people: `
        type Query {
          me: User  users: [User!]!  vault: Vault  safe: Vault!  version: String
          works: [Work!]!  things: [Thing!]!  pieces: [Piece!]!
        }
        type Mutation { rename(name: String!): User @requiresScopes(scopes: [["write"]])  touch: String }
        type Subscription { ticks: Int @authenticated  people: User }
        type User @key(fields: "number") {
          number: String @requiresScopes(scopes: [["numbers"]])
          id: ID!  name: String  secret: String @authenticated
          email: Email  tier: Tier
          ssn: String @requiresScopes(scopes: [["pii", "read"], ["admin"]])
          mustHave: String! @requiresScopes(scopes: [["admin"]])
          friends(first: Int): [User!]  boss: User
        }
        scalar Email @requiresScopes(scopes: [["pii"]])
        enum Tier @authenticated { GOLD BASIC }
        type Vault @requiresScopes(scopes: [["admin"]]) { gold: Int }
        interface Work { title: String notes: String }
        type Song implements Work { title: String notes: String @authenticated }
        type Film implements Work { title: String notes: String }
        interface Piece { title: String }
        type Open implements Piece { title: String }
        type Closed implements Piece @requiresScopes(scopes: [["closed"]]) { title: String }
        union Thing = Open | Closed`,
      reviews: `
        type User @key(fields: "number") { number: String  reviews: [Review!]!  score: Int @authenticated }
        type Review { stars: Int }`,
    },
    resolvers: {
      Query: {
        me: () => ANN,
        users: () => [ANN, BOB],
        vault: () => ({ gold: 1 }),
        safe: () => ({ gold: 1 }),
        version: () => '1',
        works: () => WORKS,
        things: () => [
          { __typename: 'Open', title: 'o' },
          { __typename: 'Closed', title: 'c' },
        ],
        pieces: () => [
          { __typename: 'Open', title: 'o' },
          { __typename: 'Closed', title: 'c' },
        ],
      },
      Mutation: {
        rename: (_source, { name }) => {
          calls.push('rename');
          return { ...ANN, name };
        },
        touch: () => {
          calls.push('touch');
          return 'touched';
        },
      },
      Subscription: {
        ticks: {
          subscribe: async function* () {
            calls.push('ticks');
            yield { ticks: 1 };
          },
        },
        people: {
          subscribe: async function* () {
            yield { people: ANN };
            yield { people: BOB };
          },
        },
      },
      User: {
        secret: (user) => `secret of ${String(user.name)}`,
        mustHave: () => 'had',
        friends: (user) => [user.id === 'u1' ? BOB : ANN],
        boss: () => BOB,
        reviews: () => [{ stars: 5 }],
        score: () => 7,
      },
    },
    references: { User: (reference) => ({ ...reference }) },
  });
}

/** An engine over the same subgraphs with a different supergraph. */
export function engineOver(graph: TestGraph, supergraphSdl: string): Engine<TestContext> {
  const transports = Object.entries(graph.schemas).map(([name, schema]) => [
    name,
    createInProcessTransport(schema),
  ]);
  return buildEngine<TestContext>({
    callerOf: ({ caller = null }) => caller,
    supergraphSdl,
    transports: Object.fromEntries(transports),
    onInternalError: (error) => graph.internalErrors.push(error),
    exposeInternalErrors: true,
  });
}
