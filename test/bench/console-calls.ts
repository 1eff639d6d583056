import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { exchangeWith } from '../support/http.ts';
import { createMoneyRequest, moneyRequestBody, newReference, queryGraph } from '../support/money-requests.ts';
import { KEYS } from '../support/seed.ts';
import { type RecordedServer, withoutSession } from './recording.ts';
import type { BenchDatabase } from './stand.ts';

/** A reading of a screen of the console: one of its documents, with variables. */
export interface ConsoleCall {
  readonly name: string;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** At most so many milliseconds for 95 of 100. */
  readonly goal: number;
  /** Entries or rows that it must give. */
  readonly size: number;
}

interface Page {
  readonly nodes: readonly unknown[];
  readonly pageInfo: { readonly endCursor: string };
}
interface Answer {
  readonly operations?: Page;
  readonly node?: { readonly timeline: Page };
}

const PAGE = 25;
const LIST_GOAL = 300;
const TIMELINE_GOAL = 100;
const ENTRIES = 200;
/** Updates of the money request with the timeline. Each is an entry, and the webhook of each makes three: it is stored, tried and delivered. */
export const TIMELINE_UPDATES = ENTRIES / 4;
/** Commands are reported aside from the answer, which may be quicker. */
const SETTLE_MS = 300;
const WAIT_MS = 60_000;
const DAY_MS = 86_400_000;

const OPERATIONS = readDocument('operations');
const TIMELINE = readDocument('timeline');

/** @throws when the answer has errors, or not as many entries as it should have */
export async function ask(baseUrl: string, call: ConsoleCall): Promise<Page> {
  const { document, variables, size, name } = call;
  const answer = await queryGraph<Answer>(exchangeWith(baseUrl), document, { ...variables }, KEYS.acme);
  const page = answer.data?.operations ?? answer.data?.node?.timeline;
  if (answer.errors || page?.nodes.length !== size) {
    throw new Error(`${name} gave ${page?.nodes.length} of ${size}: ${JSON.stringify(answer.errors)}`);
  }
  return page;
}

/** The first pages of a list of operations, and one from the middle of all. */
export async function listCalls(baseUrl: string, total: number): Promise<ConsoleCall[]> {
  const list = (name: string, variables: object): ConsoleCall => ({
    name,
    document: OPERATIONS,
    variables: { first: PAGE, ...variables },
    goal: LIST_GOAL,
    size: PAGE,
  });
  const middle = new Date(Date.now() - (total / 2) * 60_000).toISOString();
  const before = await ask(baseUrl, list('before the middle', { where: { createdAt: { lt: middle } } }));
  const day = Math.floor(Date.now() / DAY_MS - 3) * DAY_MS;
  const span = { gte: new Date(day).toISOString(), lt: new Date(day + DAY_MS).toISOString() };
  return [
    list('first page', {}),
    list('page in the middle, by cursor', { after: before.pageInfo.endCursor }),
    list('status: completed, four of five', { where: { status: ['COMPLETED'] } }),
    list('status: failed, one of twenty', { where: { status: ['FAILED'] } }),
    list('two statuses', { where: { status: ['FAILED', 'CANCELLED'] } }),
    list('a day', { where: { createdAt: span } }),
    list('a day and a status', { where: { createdAt: span, status: ['COMPLETED'] } }),
  ];
}

/** Makes a money request with so many changes and webhooks that its timeline has 200 entries. */
export async function makeTimeline(baseUrl: string, internalKey: string): Promise<ConsoleCall> {
  const exchange = exchangeWith(baseUrl);
  const referenceId = newReference();
  await createMoneyRequest(exchange, moneyRequestBody(referenceId));
  for (let update = 0; update < TIMELINE_UPDATES; update += 1) {
    const { status, text } = await exchange({
      method: 'PATCH',
      path: '/v1/internal/remittances/status',
      headers: { 'Content-Type': 'application/json', 'X-Internal-Key': internalKey },
      body: JSON.stringify({
        partnerId: 'acme',
        referenceId,
        status: 'processing',
        statusDetails: `Step${update}`,
      }),
    });
    if (status !== 200) {
      throw new Error(`An update was answered ${status}: ${text}`);
    }
  }
  const { data } = await queryGraph<{ requestMoney: { nodeId: string } }>(
    exchange,
    'query ($id: String!) { requestMoney(referenceId: $id) { nodeId } }',
    { id: referenceId },
  );
  const variables = { nodeId: data?.requestMoney.nodeId };
  const call = {
    name: `timeline, ${ENTRIES} entries`,
    document: TIMELINE,
    variables,
    goal: TIMELINE_GOAL,
    size: ENTRIES,
  };
  await untilComplete(baseUrl, call);
  return call;
}

/** Waits until as many entries are there as it should have. @throws when they do not come */
async function untilComplete(baseUrl: string, call: ConsoleCall): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    try {
      await ask(baseUrl, call);
      return;
    } catch (error) {
      if (Date.now() > deadline) {
        throw error;
      }
      await delay(SETTLE_MS);
    }
  }
}

/** The commands that the product sends for a call, and that are about the partner: not those of work in the background. */
export async function recordCommands(server: RecordedServer, call: ConsoleCall): Promise<mongo.Document[]> {
  await ask(server.url, call);
  await delay(SETTLE_MS);
  server.take();
  await ask(server.url, call);
  await delay(SETTLE_MS);
  return server
    .take()
    .filter(({ command }) => command.filter?.accountId === 'acme' || isOfTenant(command.filter))
    .map(({ command }) => withoutSession(command));
}

/** Filters of pages by cursor name the tenant within `$and`. */
function isOfTenant(filter: mongo.Document | undefined): boolean {
  return filter?.$and?.some(({ accountId }: mongo.Document) => accountId === 'acme') === true;
}

/** The same by the bare driver, one after the other. */
export async function runCommands(
  { connection }: BenchDatabase,
  commands: readonly mongo.Document[],
): Promise<void> {
  for (const command of commands) {
    await connection.db?.command(command);
  }
}

function readDocument(name: string): string {
  return readFileSync(`gateway/console/documents/${name}.graphql`, 'utf8');
}
