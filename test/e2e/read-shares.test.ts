import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { connectionOfServer, monitored } from '../support/count-commands.ts';
import type { Deployment } from '../support/deployment.ts';
import { IS_FULL, sweepOf } from '../support/depth.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import {
  createMoneyRequest,
  lookUp,
  moneyRequestBody,
  newReference,
  queryGraph,
} from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { until } from '../support/until.ts';

/*
 * One partner asks for as much as it may, several times at once. All partners use the same connections to the database: the
 * others must always find free ones.
 */

/** Each of them has commands of its own in every query: three times as many as may run at once are enough. */
const USERS = IS_FULL ? 60 : 20;
const TIMES = 3;
/** Of the 50 connections of a process: 12 lists, and one search, which reads up to 20 indexes at once. */
const MOST_AT_ONCE = 32;
/** Commands of the queries have begun: so many, that an unbounded query would have them all waiting. */
const UNDER_WAY = 100;

const NESTED_PAGES = `requestMonies(first: 100) { nodes { user { requestMonies(first: 4) { nodes { id } } } } }`;
const NESTED_COUNTS = `requestMonies(first: 100) { nodes { user {
  requestMonies(first: 1) { totalCount } remittances(first: 1) { totalCount } operations(first: 1) { totalCount }
  links(first: 1) { totalCount } contacts(first: 1) { totalCount } paymentMethods(first: 1) { totalCount }
} } }`;
const TIMELINES = `requestMonies(first: 100) { nodes { timeline(first: 1) { nodes { __typename } } } }`;
const FREQUENT = `users(first: 100) { nodes { frequentContacts(limit: 1) { id } } }`;
const SEARCH = `search(text: "nobody-has-this") { matchedBy }`;

/** A query with as many root fields of one kind as it may have. */
function often(field: string, times: number): string {
  return `{ ${Array.from({ length: times }, (_, index) => `f${index}: ${field}`).join(' ')} }`;
}

/** The short form has them at once, and those that are not among them. */
const QUERIES = sweepOf(
  [
    [
      'all of these',
      `{ ${[NESTED_PAGES, NESTED_COUNTS, TIMELINES, SEARCH].map((field, index) => `f${index}: ${field}`).join(' ')} }`,
    ],
    ['nested pages', often(NESTED_PAGES, 10)],
    ['nested counts', often(NESTED_COUNTS, 3)],
    ['timelines', often(TIMELINES, 2)],
    ['searches', often(SEARCH, 10)],
    ['lists of frequent contacts', often(FREQUENT, 8)],
  ],
  ([, query = '']) => (query.includes(FREQUENT) ? 'alone' : 'among others'),
);

/** Commands of the server's connection that name an account. */
interface Watch {
  begun: number;
  mostAtOnce: number;
  end(): void;
}

function watch(connection: Connection, accountId: string): Watch {
  const running = new Set<number>();
  const client = connection.getClient();
  const onStart = ({ requestId, command }: { requestId: number; command: object }) => {
    if (JSON.stringify(command).includes(accountId)) {
      running.add(requestId);
      seen.begun += 1;
      seen.mostAtOnce = Math.max(seen.mostAtOnce, running.size);
    }
  };
  const onEnd = ({ requestId }: { requestId: number }) => running.delete(requestId);
  client.on('commandStarted', onStart).on('commandSucceeded', onEnd).on('commandFailed', onEnd);
  const seen: Watch = {
    ...{ begun: 0, mostAtOnce: 0 },
    end: () => {
      client.off('commandStarted', onStart).off('commandSucceeded', onEnd).off('commandFailed', onEnd);
    },
  };
  return seen;
}

const scene = useScene();
let deployment: Deployment;
let exchange: Exchange;
let connection: Connection;
let reference: string;

beforeAll(async () => {
  deployment = await scene.deploy();
  const server = await deployment.start({ MONGODB_URI: monitored(String(deployment.env.MONGODB_URI)) });
  exchange = exchangeWith(server.url);
  connection = connectionOfServer(await deployment.database());
  reference = newReference();
  await createMoneyRequest(exchange, moneyRequestBody(reference), { key: KEYS.soylent });
  const { requestData } = moneyRequestBody(reference);
  for (let user = 0; user < USERS; user++) {
    const body = { requestData: { ...requestData, userReferenceId: `u-${user}` } };
    await createMoneyRequest(exchange, moneyRequestBody(newReference(), body));
  }
});

describe('The largest queries of one partner', () => {
  test.each(QUERIES)('leave connections to the database to others: %s', async (_name, query) => {
    const hostile = watch(connection, 'acme/sandbox');
    let isAnswered = false;
    const answers = Promise.all(Array.from({ length: TIMES }, () => queryGraph(exchange, query))).then(
      (all) => {
        isAnswered = true;
        return all;
      },
    );
    await until('the queries to be under way', () => hostile.begun >= UNDER_WAY || isAnswered);
    const [found, ready] = await Promise.all([
      lookUp(exchange, reference, KEYS.soylent),
      exchange({ method: 'GET', path: '/health/ready' }),
    ]);
    expect([found.status, ready.status]).toEqual([200, 200]);
    for (const { errors } of await answers) {
      expect(errors).toBeUndefined();
    }
    hostile.end();
    // The queries did ask for more than fits at once.
    expect(hostile.begun).toBeGreaterThan(UNDER_WAY);
    expect(hostile.mostAtOnce).toBeLessThanOrEqual(MOST_AT_ONCE);
  });
});
