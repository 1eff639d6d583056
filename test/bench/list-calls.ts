import { setTimeout as delay } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { Agent, request } from 'undici';
import { KEYS } from '../support/seed.ts';
import { OPERATIONS_OF_A_USER, referenceOf, userIdOf } from './list-fill.ts';
import { type RecordedServer, withoutSession } from './recording.ts';
import type { BenchDatabase } from './stand.ts';

/** A call that is measured among few records and among many. */
export interface ListCall {
  readonly name: string;
  /** The nth call of it. */
  path(nth: number): string;
}

/** A user who has operations among few and among many. */
const USERS = 100;
const DAY_MS = 86_400_000;
/** A day of which there are operations, links and users among few, too: 1,440 of each. */
const DAY = new Date(Date.now() - 3 * DAY_MS).toISOString().slice(0, 10);
const HOUSE = 7;

/** Reads that grow with the records of one user alone, with equal numbers everywhere. */
export const CALLS_OF_A_USER: readonly ListCall[] = [
  {
    name: `history, ${OPERATIONS_OF_A_USER} operations`,
    path: (nth) => `/v1/user/operations/${userIdOf(nth % USERS)}`,
  },
  {
    name: 'frequent contacts, 5 of 8',
    path: (nth) => `/v1/user/operations/frequent/${userIdOf(nth % USERS)}/5`,
  },
];

const REFERENCE = `referenceId=${referenceOf(HOUSE)}`;
const CREATED = `createdFrom=${DAY}&createdTo=${DAY}`;
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  links: [
    '',
    'visibility=active',
    'visibility=expired',
    'status=opened',
    'visibility=active&status=created',
    REFERENCE,
    `${REFERENCE}&visibility=expired`,
    CREATED,
    `${CREATED}&visibility=expired&status=revoked`,
  ],
  users: [
    '',
    'cipStatus=verified',
    'cipStatus=failed',
    'blocked=true',
    'blocked=false',
    'cipStatus=verified&blocked=false',
    REFERENCE,
    CREATED,
  ],
  operations: [
    '',
    'status=completed',
    'status=pending',
    REFERENCE,
    `${REFERENCE}&status=completed`,
    CREATED,
    `${CREATED}&status=completed`,
  ],
};

/** The first pages of document 3's lists, by each filter alone and by some together. */
export const LIST_CALLS: readonly ListCall[] = Object.entries(FILTERS).flatMap(([list, filters]) =>
  filters.map((filter) => {
    const name = `/partner/${list}${filter === '' ? '' : `?${filter}`}`;
    return { name, path: () => name };
  }),
);

/** Longer than a page of millions takes. */
const TIMEOUT_MS = 300_000;
const agent = new Agent({ headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });

/** @throws when the answer is not 200 */
export async function get(baseUrl: string, path: string): Promise<string> {
  const headers = { api_key: KEYS.acme };
  const answer = await request(baseUrl + path, { headers, dispatcher: agent });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) {
    throw new Error(`GET ${path} was answered ${answer.statusCode}: ${text.slice(0, 200)}`);
  }
  return text;
}

/** The queries of a page: how many documents there are, and the first of them. */
export interface StoreQueries {
  readonly count: mongo.Document;
  readonly page: mongo.Document;
}

/** Commands are reported aside from the answer, which may be quicker. */
const SETTLE_MS = 300;

/** Records the queries that the product sends for a list. @throws unless these are one count and one page */
export async function recordQueries(server: RecordedServer, { path }: ListCall): Promise<StoreQueries> {
  await delay(SETTLE_MS);
  server.take();
  await get(server.url, path(0));
  await delay(SETTLE_MS);
  const commands = server.take().map(({ command }) => withoutSession(command));
  const counts = commands.filter(({ aggregate, pipeline }) => aggregate !== undefined && groups(pipeline));
  const pages = commands.filter(({ find, sort, limit }) => find !== undefined && sort?.createdAt && limit);
  const [count, page] = [counts[0], pages[0]];
  if (counts.length !== 1 || pages.length !== 1 || !count || !page) {
    throw new Error(`${path(0)} sends ${counts.length} counts and ${pages.length} pages`);
  }
  return { count, page };
}

function groups(pipeline: readonly mongo.Document[]): boolean {
  return pipeline.some(({ $group }) => $group !== undefined);
}

/** The same by the bare driver. @returns how many there are */
export async function queryStore(
  { connection }: BenchDatabase,
  { count, page }: StoreQueries,
): Promise<number> {
  const counted = await connection.db?.command(count);
  await connection.db?.command(page);
  return Number(counted?.cursor.firstBatch[0]?.n ?? 0);
}
