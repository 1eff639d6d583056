import { buildSubgraphSchema } from '@apollo/subgraph';
import { composeServices } from '@theguild/federation-composition';
import { type GraphQLSchema, parse, printSchema } from 'graphql';
import { readSupergraph } from '../../../gateway/engine/index.ts';
import {
  type LinkRecord,
  linksOf,
  type MoneyRequestRecord,
  moneyRequestsOf,
  operations,
  users,
} from './records.ts';

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key"])\n';

const SDL = {
  operations: `
    type Query { operations(first: Int!): [Operation!]! }
    type Operation @key(fields: "id") {
      id: ID! status: OperationStatus! amount: String! currency: String! user: User!
    }
    enum OperationStatus { PENDING SENT DELIVERED FAILED }
    type User @key(fields: "id", resolvable: false) { id: ID! }`,
  users: `
    type User @key(fields: "id") { id: ID! firstName: String! lastName: String cipStatus: CipStatus! }
    enum CipStatus { PENDING VERIFIED REJECTED }`,
  links: `
    type User @key(fields: "id") { id: ID! links: [Link!]! }
    type Link @key(fields: "id") { id: ID! status: LinkStatus! lastUsedAt: String }
    enum LinkStatus { ACTIVE EXPIRED REVOKED }`,
  moneyRequests: `
    type Link @key(fields: "id") { id: ID! moneyRequests: [MoneyRequest!]! }
    type MoneyRequest {
      referenceId: ID! status: MoneyRequestStatus! amount: String! currency: String! reason: String expiresAt: String!
      user: User! operation: Operation
    }
    enum MoneyRequestStatus { OPEN PAID CANCELLED }
    type User @key(fields: "id", resolvable: false) { id: ID! }
    type Operation @key(fields: "id", resolvable: false) { id: ID! }`,
} as const;

/** The subgraphs of the benchmark's graph. */
type SubgraphName = keyof typeof SDL;

export const SUBGRAPH_NAMES = Object.keys(SDL) as readonly SubgraphName[];

type Resolvers = Readonly<Record<string, Readonly<Record<string, (...given: never[]) => unknown>>>>;

/** Of the monolith; each subgraph has those of its fields. */
export const RESOLVERS = {
  Query: {
    operations: (_source: unknown, { first }: { first: number }) => [...operations.values()].slice(0, first),
  },
  Operation: { user: ({ userId }: { userId: string }) => users.get(userId) },
  User: { links: ({ id }: { id: string }) => linksOf.get(id) },
  Link: { moneyRequests: ({ id }: LinkRecord) => moneyRequestsOf.get(id) },
  MoneyRequest: {
    user: ({ userId }: MoneyRequestRecord) => users.get(userId),
    operation: ({ operationId }: MoneyRequestRecord) => operations.get(operationId),
  },
} satisfies Resolvers;

type Reference = { readonly id: string };

const OWN: Readonly<Record<SubgraphName, Resolvers>> = {
  operations: {
    Query: RESOLVERS.Query,
    Operation: { ...RESOLVERS.Operation, __resolveReference: ({ id }: Reference) => operations.get(id) },
  },
  users: { User: { __resolveReference: ({ id }: Reference) => users.get(id) } },
  links: { User: { ...RESOLVERS.User, __resolveReference: ({ id }: Reference) => users.get(id) } },
  moneyRequests: {
    Link: { ...RESOLVERS.Link, __resolveReference: (link: Reference) => link },
    MoneyRequest: RESOLVERS.MoneyRequest,
  },
};

/** The schema of one subgraph, over the records. */
export function subgraphSchema(name: SubgraphName): GraphQLSchema {
  return buildSubgraphSchema([{ typeDefs: parse(LINK + SDL[name]), resolvers: OWN[name] as never }]);
}

/** The supergraph; its subgraphs are at their names below `url`. */
export function composeGraph(url: string): string {
  const services = SUBGRAPH_NAMES.map((name) => ({
    name,
    url: `${url}/${name}`,
    typeDefs: parse(LINK + SDL[name]),
  }));
  const { supergraphSdl, errors } = composeServices(services);
  if (supergraphSdl === undefined) {
    throw new Error(errors?.map(({ message }) => message).join('\n'));
  }
  return supergraphSdl;
}

/** The same graph as one schema, in SDL, for {@link RESOLVERS}. */
export function monolithSdl(): string {
  return printSchema(readSupergraph(composeGraph('http://localhost')).publicSchema);
}
