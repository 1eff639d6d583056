import { type GraphQLSchema, OperationTypeNode } from 'graphql';
import type { Connection } from 'mongoose';
import { newId } from '../../../subgraphs/kernel/database/ids.ts';
import { createSettlementModels } from '../../../subgraphs/ledger/settlement/model.ts';
import { cookieOf, exchangeCode, makeLink } from '../console-session.ts';
import { connectionOfServer, monitored } from '../count-commands.ts';
import type { Deployment } from '../deployment.ts';
import { IS_FULL } from '../depth.ts';
import { type Exchange, exchangeWith } from '../http.ts';
import { createMoneyRequest, queryGraph } from '../money-requests.ts';
import { startProviders } from '../providers.ts';
import type { Judgement } from '../query-shapes.ts';
import { recordServed } from '../record-served.ts';
import { answerAsSandbox } from '../sandbox-answers.ts';
import type { Scene } from '../scene.ts';
import { KEYS } from '../seed.ts';
import { declaredShardKeys, recordStatements, type Statement } from '../shard-routing.ts';
import { storeStatement } from '../statements.ts';
import { cashBody, presentCursor } from '../statuses.ts';
import type { Subscriber } from '../subscriber.ts';
import { until } from '../until.ts';
import type { Sets } from './drive.ts';
import { QUERIES } from './graph-calls.ts';
import { type IdName, type Ids, newChosenIds, newWord, unknownLike } from './ids.ts';
import { REST_READS } from './rest-calls.ts';
import { graphSender, readSchema, restSender } from './surfaces.ts';
import { fillTenant, isDone, type Tenant, type TenantData } from './tenant-data.ts';
import { valuesRead } from './values.ts';
import { type Prepare, preparing, wholeLists } from './variant.ts';

/** Two accounts, one of which tries the ids of the other. */
interface Pair {
  /** Whose ids are tried. It has everything twice: for REST, and for GraphQL, where REST's may be the caller's by then. */
  readonly victim: Tenant;
  readonly caller: Tenant;
  /** Paths of the receiver that the caller's webhooks go to. */
  readonly hooks: readonly string[];
  /** An account of another partner that tries the victim's ids too, with fewer comparisons. */
  readonly stranger?: Tenant;
}

const SANDBOX: Tenant = { accountId: 'soylent/sandbox', key: KEYS.soylent };
const ACME: Tenant = { accountId: 'acme/sandbox', key: KEYS.acme };

/** Accounts that share nothing (decisions, section 8, "Two environments"). */
const EVERY_PAIR: readonly (readonly [title: string, pair: Pair])[] = [
  [
    'another partner',
    {
      victim: ACME,
      caller: SANDBOX,
      hooks: ['/soylent', '/soylent-outcome'],
    },
  ],
  [
    'another environment of the partner',
    {
      victim: SANDBOX,
      caller: { accountId: 'soylent/live', key: KEYS.soylentLive },
      hooks: ['/live-soylent', '/live-soylent-outcome'],
      // In the environment of the victim: document 1 answers its users by a mismatch of tenants.
      stranger: ACME,
    },
  ],
];
/**
 * The short form has the accounts of one partner: a query that forgets its account finds the other one there too. Another
 * partner stands beside them.
 */
export const PAIRS = IS_FULL ? EVERY_PAIR : EVERY_PAIR.slice(-1);

/** The lists of `Query`, and the collection that each is of. */
export const LISTS: Readonly<Record<string, string>> = {
  discrepancies: 'discrepancies',
  journal: 'journalEntries',
  links: 'links',
  operations: 'operations',
  remittances: 'remittances',
  reservations: 'reservations',
  statements: 'statements',
  requestMonies: 'moneyRequests',
  users: 'users',
  webhookDeliveries: 'webhookDeliveries',
};

/** An account with all that an account can have, which tries ids of the victim's. */
export interface Driver {
  readonly caller: Tenant;
  readonly prepare: Prepare;
  readonly rest: Sets;
  readonly graph: Sets;
  /** Values of the victim's that the caller has none of. */
  readonly theirs: readonly string[];
}

/** Two accounts with all that an account can have; the caller has a key, and ids of the victim's. */
export interface Stage extends Pair, Driver {
  readonly exchange: Exchange;
  readonly deployment: Deployment;
  readonly database: Connection;
  /** The server's connection, whose commands can be counted. */
  readonly served: Connection;
  /** Each kind of statement that the server has sent since its start. */
  readonly statements: ReadonlyMap<string, Statement>;
  readonly judged: Judgement;
  readonly schema: GraphQLSchema;
  readonly socket: Subscriber;
  /** The stranger; its `theirs` are ids and words. */
  readonly strange: Driver | undefined;
  /** Words of theirs that are no ids: the caller never sends one. */
  readonly secrets: readonly string[];
  /** Such words of the caller's. */
  readonly ownSecrets: readonly string[];
  /** Opens a console session of the caller's. */
  openSession(access: ConsoleAccess): Promise<PageOfCaller>;
}

const EVERY_ACCESS = ['READ', 'SUPPORT', 'OPERATE', 'ADMIN'] as const;
type ConsoleAccess = (typeof EVERY_ACCESS)[number];
/** Accesses of console sessions, one for each role. The short form has the one with all rights, which most calls come through. */
export const ACCESSES: readonly ConsoleAccess[] = IS_FULL ? EVERY_ACCESS : ['ADMIN'];

/** A page with a console session. */
interface PageOfCaller {
  readonly headers: Readonly<Record<string, string>>;
  /** With references of money requests of its own. */
  readonly prepare: Prepare;
}

/** Operations select everything: the limits of one partner's calls are in the way. */
const WIDE = { GRAPHQL_MAX_TOKENS: '20000', GRAPHQL_MAX_COST: '100000000', GRAPHQL_MAX_DEPTH: '20' };
/** As many as variants use, or more. */
const UNPAID_ASKS = 16;

export async function setStage(scene: Scene, pair: Pair): Promise<Stage> {
  const { victim, caller, stranger } = pair;
  const providers = await startProviders({ deduplicates: false, answer: answerAsSandbox() });
  scene.atEnd(providers.close);
  const env = { ...WIDE, ...providers.envOf('live') };
  const deployment = await scene.deploy({ env });
  const server = await deployment.start({ MONGODB_URI: monitored(String(deployment.env.MONGODB_URI)) });
  const database = await deployment.database();
  const served = connectionOfServer(database);
  const statements = recordStatements(served, declaredShardKeys());
  const judged = recordServed(served);
  const exchange = exchangeWith(server.url);
  const open = ({ key }: Tenant) =>
    scene.subscriber({ url: server.url, connectionParams: { 'X-API-Key': key } });
  const presentPlacesOf = async (tenant: Tenant) => {
    const own = await open(tenant);
    const present = await presentCursor(own, exchange, tenant.key);
    // While it is open its key is used.
    await own.close();
    return placesOf(exchange, tenant, present);
  };
  const socket = await open(caller);
  const beginning = await presentCursor(socket, exchange, caller.key);
  const common = newChosenIds();
  const fill = async (tenant: Tenant, chosen?: typeof common): Promise<TenantData> => {
    const filled = await fillTenant(tenant, exchange, chosen);
    await storeStatement(database, tenant.accountId, String(filled.ids.get('statementId')));
    return { ...filled, ids: new Map([...filled.ids, await openDiscrepancy(database, tenant, filled)]) };
  };
  const [first, second, twin, mine, ofStranger] = await Promise.all([
    fill(victim),
    fill(victim),
    fill(victim, common),
    fill(caller, common),
    stranger && fill(stranger),
  ]);
  const moneyRequests = await makeMoneyRequests(exchange, caller);
  // A place that is taken while a record is still to come would be between the caller's own.
  await Promise.all([victim, caller].map((tenant) => until('quiet', () => isDone(tenant, exchange))));
  const [theirPlaces, ownPlaces] = await Promise.all([
    presentPlacesOf(victim),
    placesOf(exchange, caller, beginning),
  ]);
  const own: Ids = new Map([...mine.ids, ...ownPlaces]);
  const setsOf = ({ ids }: TenantData): Sets => {
    const foreign: Ids = new Map([...ids, ...theirPlaces]);
    return { own, foreign, unknown: unknownLike(foreign) };
  };
  const schema = await readSchema(exchange, caller.key);
  const sets = { rest: setsOf(first), graph: setsOf(second) };
  const twins: TenantData = { ...twin, ids: new Map([...twin.ids].filter(([name]) => !(name in common))) };
  const reported = [first, second, twins];
  const theirs = await valuesOfVictim({ victim, caller, exchange, schema, ...sets, twin, reported });
  const prepare = preparing(own, moneyRequests.values());
  const secrets = reported.flatMap((one) => one.secrets);
  const driveAs = async (tenant: Tenant, { ids }: TenantData): Promise<Driver> => {
    const references = await makeMoneyRequests(exchange, tenant);
    const its: Ids = new Map([...ids, ...(await presentPlacesOf(tenant))]);
    return {
      caller: tenant,
      prepare: preparing(its, references.values()),
      rest: { ...sets.rest, own: its },
      graph: { ...sets.graph, own: its },
      theirs: [...reported.flatMap((one) => [...one.ids.values()]), ...secrets],
    };
  };
  const openSession = async (access: ConsoleAccess): Promise<PageOfCaller> => {
    const page = { origin: server.url, 'x-remitgraph-console': '1', 'content-type': 'application/json' };
    const { code } = await makeLink(exchange, caller.key, { access, label: access });
    const cookie = cookieOf(await exchangeCode(exchange, code, page));
    const references = await makeMoneyRequests(exchange, caller);
    return { headers: { ...page, cookie }, prepare: preparing(own, references.values()) };
  };
  return {
    openSession,
    ...{ ...pair, exchange, deployment, database, served, statements, judged, schema, socket, prepare },
    ...{ ...sets, theirs, secrets, ownSecrets: mine.secrets },
    strange: stranger && ofStranger && (await driveAs(stranger, ofStranger)),
  };
}

async function makeMoneyRequests(exchange: Exchange, { key }: Tenant): Promise<string[]> {
  const references = Array.from({ length: UNPAID_ASKS }, () => newWord().slice(0, 8));
  for (const reference of references) {
    await createMoneyRequest(exchange, cashBody(reference), { key });
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

interface Looked extends Pick<Pair, 'victim' | 'caller'> {
  readonly exchange: Exchange;
  readonly schema: GraphQLSchema;
  readonly rest: Sets;
  readonly graph: Sets;
  /** The victim's records with ids that the caller's have, too. */
  readonly twin: TenantData;
  readonly reported: readonly TenantData[];
}

/** The values that the victim sent and reads, without the words that both read. @throws when the caller reads what is not its own */
async function valuesOfVictim(looked: Looked): Promise<string[]> {
  const { victim, caller, exchange, schema, rest, graph, twin, reported } = looked;
  const read = async ({ key }: Tenant, ids: Ids): Promise<string[]> => {
    const prepare = preparing(ids, [].values());
    const send = graphSender(exchange, schema, OperationTypeNode.QUERY, key);
    const ofGraph = await valuesRead(QUERIES, { send, prepare, ids });
    const ofLists = await valuesRead(wholeLists(Object.keys(LISTS)), { send, prepare, ids });
    const ofRest = await valuesRead(REST_READS, { send: restSender(exchange, key), prepare, ids });
    return [...ofGraph, ...ofLists, ...ofRest];
  };
  const secret = reported.flatMap(({ ids, secrets }) => [...ids.values(), ...secrets]);
  const common = new Set(await read(caller, rest.own));
  const leaked = secret.filter((value) => common.has(value));
  if (leaked.length > 0) {
    throw new Error(`The caller reads ${leaked.join(', ')}`);
  }
  const readByVictim: string[] = [];
  const all = [rest.foreign, graph.foreign, new Map([...rest.foreign, ...twin.ids])];
  // Lists have all of it, but for a few fields of single records.
  for (const ids of IS_FULL ? all : all.slice(0, 1)) {
    readByVictim.push(...(await read(victim, ids)));
  }
  // The name of its environment is no secret: codes and paths have it.
  const isSecret = (value: string) => !common.has(value) && !/^(sandbox|live)$/i.test(value);
  return [...new Set([...secret, ...readByVictim])].filter(isSecret);
}

/** Stores a discrepancy about the account's operation: imports alone open them. */
async function openDiscrepancy(
  database: Connection,
  { accountId }: Tenant,
  { ids }: TenantData,
): Promise<readonly [IdName, string]> {
  const _id = newId('dis_');
  const reference = ids.get('operationId') ?? newWord();
  await createSettlementModels(database).discrepancies.create({
    ...{ _id, accountId, kind: 'MISSING_WITH_US', state: 'OPEN', unsettled: true },
    ...{ provider: 'acquirer', fileId: newWord(), line: 2, reference },
    ...{ currency: 'USD', providerAmount: '7', providerDay: '2026-11-20', version: 0, createdAt: new Date() },
  });
  return ['discrepancyId', _id];
}
