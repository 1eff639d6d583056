/** @only-in-full */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { withDatabase } from '../../subgraphs/kernel/database/uri.ts';
import { type Dumped, dumpOpened } from '../support/dump-opened.ts';
import { type HeldRequest, holdAt, learnCommands, writingPoints } from '../support/held-requests.ts';
import { type Exchange, exchangeWith, type RawResponse } from '../support/http.ts';
import { connectToStore, startSurvivor } from '../support/killed-store.ts';
import {
  cancelMoneyRequest,
  createMoneyRequest,
  moneyRequestBody,
  newReference,
  queryGraph,
} from '../support/money-requests.ts';
import { preloading } from '../support/preloads.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import type { Server } from '../support/server.ts';
import { until } from '../support/until.ts';

/** A user that is erased. */
interface Person {
  readonly userId: string;
  /** Nobody else's. */
  readonly lastName: string;
}

/** An erasure whose process is killed. */
interface Sent extends HeldRequest {
  readonly point: string;
  readonly person: Person;
}

/** The state that the kill left, and the end. */
interface Outcome extends Sent {
  /** Whether the erasure was requested, and whether it was done. */
  readonly left: readonly [isRequested: boolean, isDone: boolean];
  /** Whether a repeat requested it: otherwise a job has finished it. */
  readonly isRepeated: boolean;
  /** The types of the user's events about the erasure. */
  readonly events: readonly string[];
  /** Where the name is still found at the end. */
  readonly found: readonly string[];
}

const ERASE = `mutation ($input: EraseUserInput!) {
  eraseUser(input: $input) { user { erasedAt } userErrors { code } }
}`;
const ANSWERED = 'after the answer';
/** The command by which the job looks for what is left: in the doomed process it never gets an answer. */
const JOB = 'find users isErasing';
const KILL_TIMEOUT_MS = 900_000;

const scene = useScene();
const encryptionKey = randomBytes(32).toString('hex');
let outcomes: readonly Outcome[];
let dumped: readonly Dumped[];
let connection: Connection;

beforeAll(async () => {
  const survivor = await startSurvivor(scene);
  const deployment = await scene.deploy({
    store: 'embedded',
    processes: true,
    env: {
      ENCRYPTION_KEY: encryptionKey,
      ...(survivor && { MONGODB_URI: withDatabase(survivor, 'remitgraph_erasure_kill') }),
    },
  });
  const startWithoutJob = () =>
    deployment.start({ ...preloading('without-bulk-write', 'hold-at-command'), HOLD_AT_COMMAND: JOB });
  const doomed = await startWithoutJob();
  connection = await connectToStore(scene, deployment);
  await until('the job is held', () => doomed.output().includes(`{"heldAt":"before ${JOB}"}`));
  const sent = await sendAll(doomed);
  await doomed.kill('SIGKILL');

  // The job of the next server would finish what the kill has left before it is looked at.
  const witness = await startWithoutJob();
  const left = await Promise.all(sent.map(({ person }) => stateOf(exchangeWith(witness.url), person)));
  await witness.kill('SIGKILL');

  const server = await deployment.start(preloading('without-bulk-write'));
  connection = await connectToStore(scene, deployment);
  const finished = await Promise.all(
    sent.map((one, index) =>
      finish(exchangeWith(server.url), { ...one, left: left[index] ?? [false, false] }),
    ),
  );
  // Once for all: a dump opens every document.
  dumped = await dumpOpened(connection, encryptionKey);
  outcomes = finished.map((one) => ({ ...one, found: placesOf(one.person.lastName) }));
}, KILL_TIMEOUT_MS);

describe('kill -9 of an erasure', () => {
  const rows = (row: (outcome: Outcome) => unknown) => outcomes.map((one) => [one.point, row(one)]);
  const points = () => outcomes.map(({ point }) => point);
  const isMarked = ({ point }: Outcome) =>
    points().indexOf(point) >= points().indexOf('after commitTransaction');
  const isErased = ({ point }: Outcome) => points().indexOf(point) >= points().length - 2;

  test('strikes before every write of every slice, and around each commit', () => {
    const collections = ['contacts', 'events', 'links', 'moneyRequests', 'users'];
    for (const collection of [...collections, 'webhookDeliveries']) {
      expect(points()).toContainEqual(
        expect.stringMatching(new RegExp(`^before (insert|update|delete) ${collection}( |$)`)),
      );
    }
    expect(points().slice(-2)).toEqual([
      expect.stringMatching(/^after commitTransaction \(\d+\)$/),
      ANSWERED,
    ]);
  });

  test('leaves it requested after the first commit, and done after the last', () => {
    expect(rows(({ left }) => left)).toEqual(rows((one) => [isMarked(one), isErased(one)]));
  });

  test('leaves the rest to a job once it was requested, and all of it to a repeat before', () => {
    expect(rows(({ isRepeated }) => isRepeated)).toEqual(rows((one) => !isMarked(one)));
  });

  test('ends with each event once, and without personal data', () => {
    expect(rows(({ events, found }) => ({ events, found }))).toEqual(
      rows(() => ({ events: ['user.erased', 'user.erasure_requested'], found: [] })),
    );
  });

  test('leaves the name of a user that was not erased', () => {
    expect(placesOf(KEPT)).not.toEqual([]);
  });
});

const KEPT = 'Nezahualpilli';

/** Sends an erasure once, and once more for each point of its way. */
async function sendAll(server: Server): Promise<Sent[]> {
  const exchange = exchangeWith(server.url);
  await newPerson(exchange, KEPT);
  const example = await newPerson(exchange, nameOf(0));
  const { answer, commands } = await learnCommands(
    server,
    example.userId,
    (to) => erase(to, example),
    (all) => all.includes('commitTransaction (2)') && /^find users/.test(String(all.at(-1))),
  );
  expect(JSON.parse(answer.text).data.eraseUser.user.erasedAt).toEqual(expect.any(String));
  const sent: Sent[] = [];
  for (const [index, point] of writingPoints(commands).entries()) {
    const person = await newPerson(exchange, nameOf(index + 1));
    const held = await holdAt(server, person.userId, point, (to) => erase(to, person));
    sent.push({ point, person, ...held });
  }
  return [...sent, { point: ANSWERED, person: example, answer: Promise.resolve(answer) }];
}

/** Names have no digits: a for 0, b for 1 and so on. */
function nameOf(number: number): string {
  return `Citlalmina${[...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}tzin`;
}

/** A user with records in all slices, all of which have ended. */
async function newPerson(exchange: Exchange, lastName: string): Promise<Person> {
  const referenceId = newReference();
  const { requestData } = moneyRequestBody(referenceId);
  const userReferenceId = `u-${referenceId}`;
  const body = moneyRequestBody(referenceId, {
    requestData: { ...requestData, userReferenceId, name: { firstName: 'Ana', lastName } },
  });
  expect((await createMoneyRequest(exchange, body)).status).toBe(201);
  expect((await cancelMoneyRequest(exchange, referenceId, { reason: `For ${lastName}` })).status).toBe(200);
  const { data } = await queryGraph<{
    createLink: { link: { id: string; user: { id: string } } };
  }>(
    exchange,
    'mutation ($input: CreateLinkInput!) { createLink(input: $input) { link { id user { id } } } }',
    { input: { flow: 'CIP', referenceId: userReferenceId, metadata: { note: `Of ${lastName}` } } },
  );
  const { id: linkId, user } = data?.createLink.link ?? { id: '', user: { id: '' } };
  const contact = { phoneNumber: '+12135550177', firstName: 'Bob', lastName, countryCode: 'US' };
  expect((await post(exchange, `/v1/user/contacts/${user.id}`, contact)).status).toBe(200);
  const revoke = `mutation { revokeLink(input: { linkId: "${linkId}" }) { userErrors { code } } }`;
  expect((await queryGraph(exchange, revoke)).data).toEqual({ revokeLink: { userErrors: [] } });
  return { userId: user.id, lastName };
}

function erase(exchange: Exchange, { userId }: Person): Promise<RawResponse> {
  return post(exchange, '/graphql', {
    query: ERASE,
    variables: { input: { id: userId, reason: 'Request 4711' } },
  });
}

function post(exchange: Exchange, path: string, body: object): Promise<RawResponse> {
  const headers = { 'content-type': 'application/json', 'x-api-key': KEYS.acme };
  return exchange({ method: 'POST', path, headers, body: JSON.stringify(body) });
}

/** Whether the erasure of a user was requested, and whether it was done. */
async function stateOf(exchange: Exchange, { userId }: Person): Promise<Outcome['left']> {
  const { data } = await queryGraph<{
    user: { erasureRequestedAt: string | null; erasedAt: string | null };
  }>(exchange, `{ user(id: "${userId}") { erasureRequestedAt erasedAt } }`);
  expect(data?.user).toBeDefined();
  return [data?.user.erasureRequestedAt !== null, data?.user.erasedAt !== null];
}

/** Where a name stands in the store, opened. */
function placesOf(name: string): string[] {
  return dumped.filter(({ bytes }) => bytes.includes(name)).map(({ where }) => where);
}

async function finish(
  exchange: Exchange,
  sent: Sent & Pick<Outcome, 'left'>,
): Promise<Omit<Outcome, 'found'>> {
  const { userId } = sent.person;
  const [isRequested] = sent.left;
  if (!isRequested) {
    expect(JSON.parse((await erase(exchange, sent.person)).text).data.eraseUser.userErrors).toEqual([]);
  }
  await until(`the end of the erasure killed ${sent.point}`, async () => {
    const [, isDone] = await stateOf(exchange, sent.person);
    return isDone;
  });
  // A repeat has no effect.
  await erase(exchange, sent.person);
  const events = await connection
    .collection('events')
    .find({ entity: 'user', entityId: userId, type: { $regex: '^user\\.eras' } })
    .toArray();
  return { ...sent, isRepeated: !isRequested, events: events.map(({ type }) => String(type)).toSorted() };
}
