import { type GraphQLSchema, OperationTypeNode } from 'graphql';
import type { Connection } from 'mongoose';
import { connectionOfServer, monitored } from '../count-commands.ts';
import type { Deployment } from '../deployment.ts';
import { type Exchange, exchangeWith } from '../http.ts';
import { createMoneyRequest, queryGraph } from '../money-requests.ts';
import type { Scene } from '../scene.ts';
import { KEYS } from '../seed.ts';
import { declaredShardKeys, recordStatements, type Statement } from '../shard-routing.ts';
import { cashBody, presentCursor } from '../statuses.ts';
import type { Subscriber } from '../subscriber.ts';
import { until } from '../until.ts';
import type { Sets } from './drive.ts';
import { QUERIES, wholeLists } from './graph-calls.ts';
import { type IdName, type Ids, newWord, unknownLike } from './ids.ts';
import { REST_READS } from './rest-calls.ts';
import { graphSender, readSchema, restSender } from './surfaces.ts';
import { fillTenant, isDone, type Tenant, type TenantData } from './tenant-data.ts';
import { valuesRead } from './values.ts';
import { type Prepare, preparing } from './variant.ts';

/** Whose ids are tried. It has everything twice: for REST, and for GraphQL, where REST's may be the caller's by then. */
export const VICTIM: Tenant = { accountId: 'acme/sandbox', key: KEYS.acme };
/** The caller that tries them. */
export const CALLER: Tenant = { accountId: 'soylent/sandbox', key: KEYS.soylent };

/** The lists of `Query`, and the collection that each is of. */
export const LISTS: Readonly<Record<string, string>> = {
  links: 'links',
  operations: 'operations',
  remittances: 'remittances',
  reservations: 'reservations',
  requestMonies: 'moneyRequests',
  users: 'users',
  webhookDeliveries: 'webhookDeliveries',
};

/** Two tenants with all that a tenant can have, and one of them at the door of the other. */
export interface Stage {
  readonly exchange: Exchange;
  readonly deployment: Deployment;
  readonly database: Connection;
  /** The server's connection, whose commands can be counted. */
  readonly served: Connection;
  /** Each kind of statement that the server has sent since its start. */
  readonly statements: ReadonlyMap<string, Statement>;
  readonly schema: GraphQLSchema;
  readonly socket: Subscriber;
  readonly prepare: Prepare;
  readonly rest: Sets;
  readonly graph: Sets;
  /** Every value of the victim's that the caller has none of. */
  readonly theirs: readonly string[];
  /** Words of theirs that are no ids: the caller never sends one. */
  readonly secrets: readonly string[];
}

/** Operations select everything: the limits of one partner's calls are in the way. */
const WIDE = { GRAPHQL_MAX_TOKENS: '20000', GRAPHQL_MAX_COST: '100000000', GRAPHQL_MAX_DEPTH: '20' };
/** More than variants use. */
const UNPAID_ASKS = 12;

export async function setStage(scene: Scene): Promise<Stage> {
  const deployment = await scene.deploy({ env: { PIPELINE_SWEEP_SECONDS: '1', ...WIDE } });
  const server = await deployment.start({ MONGODB_URI: monitored(String(deployment.env.MONGODB_URI)) });
  const database = await deployment.database();
  const served = connectionOfServer(database);
  const statements = recordStatements(served, declaredShardKeys());
  const exchange = exchangeWith(server.url);
  const open = ({ key }: Tenant) =>
    scene.subscriber({ url: server.url, connectionParams: { 'X-API-Key': key } });
  const socket = await open(CALLER);
  const beginning = await presentCursor(socket, exchange, CALLER.key);
  const [first, second, mine] = await Promise.all([
    fillTenant(VICTIM, exchange),
    fillTenant(VICTIM, exchange),
    fillTenant(CALLER, exchange),
  ]);
  const moneyRequests = await makeMoneyRequests(exchange);
  // A place that is taken while a record is still to come would be between the caller's own.
  await Promise.all([VICTIM, CALLER].map((tenant) => until('quiet', () => isDone(tenant, exchange))));
  const theirSocket = await open(VICTIM);
  const present = await presentCursor(theirSocket, exchange, VICTIM.key);
  // While it is open its key is used.
  await theirSocket.close();
  const [theirPlaces, ownPlaces] = await Promise.all([
    placesOf(exchange, VICTIM, present),
    placesOf(exchange, CALLER, beginning),
  ]);
  const own: Ids = new Map([...mine.ids, ...ownPlaces]);
  const setsOf = ({ ids }: TenantData): Sets => {
    const foreign: Ids = new Map([...ids, ...theirPlaces]);
    return { own, foreign, unknown: unknownLike(foreign) };
  };
  const schema = await readSchema(exchange, CALLER.key);
  const sets = { rest: setsOf(first), graph: setsOf(second) };
  const theirs = await valuesOfVictim({ exchange, schema, ...sets, reported: [first, second] });
  const prepare = preparing(own, moneyRequests.values());
  const secrets = [...first.secrets, ...second.secrets];
  return {
    ...{ exchange, deployment, database, served, statements, schema, socket, prepare, ...sets },
    ...{ theirs, secrets },
  };
}

async function makeMoneyRequests(exchange: Exchange): Promise<string[]> {
  const references = Array.from({ length: UNPAID_ASKS }, () => newWord().slice(0, 8));
  for (const reference of references) {
    await createMoneyRequest(exchange, cashBody(reference), { key: CALLER.key });
  }
  return references;
}

/** A cursor of each list of a tenant's, and one of its events. */
async function placesOf(
  exchange: Exchange,
  { key }: Tenant,
  events: string,
): Promise<ReadonlyMap<IdName, string>> {
  const fields = Object.keys(LISTS).map((list) => `${list}(first: 1) { pageInfo { endCursor } }`);
  const query = `{ ${fields.join(' ')} }`;
  type Page = { readonly pageInfo: { readonly endCursor: string } };
  const { data } = await queryGraph<Readonly<Record<string, Page>>>(exchange, query, {}, key);
  const places = Object.entries(data ?? {}).map(
    ([list, { pageInfo }]) => [`cursor:${list}`, pageInfo.endCursor] as const,
  );
  return new Map<IdName, string>([...places, ['cursor:events', events]]);
}

interface Looked {
  readonly exchange: Exchange;
  readonly schema: GraphQLSchema;
  readonly rest: Sets;
  readonly graph: Sets;
  readonly reported: readonly TenantData[];
}

/** The values that the victim sent and reads, without the words that both read. @throws when the caller reads what is not its own */
async function valuesOfVictim({ exchange, schema, rest, graph, reported }: Looked): Promise<string[]> {
  const read = async ({ key }: Tenant, ids: Ids): Promise<string[]> => {
    const prepare = preparing(ids, [].values());
    const send = graphSender(exchange, schema, OperationTypeNode.QUERY, key);
    const ofGraph = await valuesRead(QUERIES, { send, prepare, ids });
    const ofLists = await valuesRead(wholeLists(Object.keys(LISTS)), { send, prepare, ids });
    const ofRest = await valuesRead(REST_READS, { send: restSender(exchange, key), prepare, ids });
    return [...ofGraph, ...ofLists, ...ofRest];
  };
  const secret = reported.flatMap(({ ids, secrets }) => [...ids.values(), ...secrets]);
  const common = new Set(await read(CALLER, rest.own));
  const leaked = secret.filter((value) => common.has(value));
  if (leaked.length > 0) {
    throw new Error(`The caller reads ${leaked.join(', ')}`);
  }
  const all = [...secret, ...(await read(VICTIM, rest.foreign)), ...(await read(VICTIM, graph.foreign))];
  return [...new Set(all)].filter((value) => !common.has(value));
}
