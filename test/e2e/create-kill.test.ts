import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { withDatabase } from '../../subgraphs/kernel/database/uri.ts';
import { IS_FULL } from '../support/depth.ts';
import { holdAt, learnCommands, writingPoints } from '../support/held-requests.ts';
import { type Exchange, exchangeWith, type RawResponse } from '../support/http.ts';
import { connectToStore, startSurvivor } from '../support/killed-store.ts';
import {
  createRecordReader,
  type MoneyRequestIds,
  type ReadRecords,
  type StoredRecord,
} from '../support/money-request-records.ts';
import {
  cancelMoneyRequest,
  createMoneyRequest,
  lookUp,
  moneyRequestBody,
  newReference,
  queryGraph,
  updateStatus,
} from '../support/money-requests.ts';
import { knowsBulkWrite, preloading } from '../support/preloads.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import type { Server } from '../support/server.ts';

/** One of the requests that change a money request. */
interface Kind {
  readonly name: string;
  send(exchange: Exchange, moneyRequest: MoneyRequestIds): Promise<RawResponse>;
  readonly status: number;
  /** The records of a money request before it, and after it. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** A request that its process did not survive, or only just. */
interface Sent {
  readonly kind: Kind;
  /** How far it came: held at a command, such as `before insert users`, or {@link ANSWERED}. */
  readonly point: string;
  readonly moneyRequest: MoneyRequestIds;
  /** undefined when the connection was lost. */
  readonly answer: Promise<RawResponse | undefined>;
}

/** Its outcome. */
interface Outcome {
  readonly kind: Kind;
  readonly point: string;
  readonly answer: RawResponse | undefined;
  /** The next process's answer to a lookup, and the records in the store. */
  readonly lookup: RawResponse;
  readonly left: readonly StoredRecord[];
  /** Answers to the same request, sent twice more, one after the other. */
  readonly retries: readonly RawResponse[];
  readonly afterwards: readonly StoredRecord[];
}

type Store = typeof DIES | typeof SURVIVES;

/** The outcome of all requests that were sent with one store. */
interface Killed {
  readonly outcomes: readonly Outcome[];
  /** Whether the writes of a transaction are one command. */
  readonly together: boolean;
}

const CREATE_LINK = 'mutation ($input: CreateLinkInput!) { createLink(input: $input) { link { id } } }';
const COMMITTED = 'after commitTransaction';
const ANSWERED = 'after the answer';
const CREATED = [
  'delivery operation_created',
  'delivery request_money.created',
  'event request_money.created',
  'idempotency key',
  'money request pending, version 1',
  'user',
];
/** The user has a link, so that its operation is attached to it: one change of both. */
const UPDATED = [
  'activity operation.created',
  'delivery operation.processing',
  'delivery operation_created',
  'delivery operation_updated',
  'delivery request_money.created',
  'event operation.created',
  'event request_money.created',
  'event request_money.status_changed',
  'history of operation',
  'idempotency key',
  'link of operation',
  'money request processing, version 2',
  'operation',
  'user',
];
/** The user's link stays as it is: a cancelled money request has no operation. */
const CANCELLED = [
  'delivery operation.cancelled',
  'delivery operation_created',
  'delivery operation_updated',
  'delivery request_money.created',
  'event request_money.created',
  'event request_money.status_changed',
  'idempotency key',
  'money request cancelled, version 2',
  'user',
];

const create: Kind = {
  name: 'create',
  send: (exchange, { referenceId, userReferenceId, idempotencyKey }) => {
    const body = moneyRequestBody(referenceId);
    const requestData = { ...body.requestData, userReferenceId };
    return createMoneyRequest(exchange, { ...body, requestData }, { key: KEYS.globex, idempotencyKey });
  },
  status: 201,
  before: [],
  after: CREATED,
};
const update: Kind = {
  name: 'status update',
  send: (exchange, { referenceId, operationId }) =>
    updateStatus(exchange, { partnerId: 'globex', referenceId, status: 'processing', operationId }),
  status: 200,
  before: CREATED,
  after: UPDATED,
};
const cancel: Kind = {
  name: 'cancel',
  send: (exchange, { referenceId }) =>
    cancelMoneyRequest(exchange, referenceId, { key: KEYS.globex, reason: 'Returned' }),
  status: 200,
  before: CREATED,
  after: CANCELLED,
};
const KINDS = [create, update, cancel];

/** Two starts, and a request held at each of its commands, one after the other. */
const KILL_TIMEOUT_MS = 900_000;

const scene = useScene();
const encryptionKey = randomBytes(32);
/**
 * `survives`: the store lives on with the process's transactions left open, so it is none that other tests use; only
 * where the time can be set. `dies`: it is the process's embedded one.
 */
const survivor = await startSurvivor(scene);
const DIES = { name: 'dies', preloads: [] } as const;
const SURVIVES = { name: 'survives, without bulkWrite', preloads: ['without-bulk-write'] } as const;
const EVERY_STORE = survivor === undefined ? [DIES] : [SURVIVES, DIES];
/** The short form has the store with the most points. */
const STORES = IS_FULL ? EVERY_STORE : EVERY_STORE.slice(0, 1);
const kills = new Map<Store, Killed>();

beforeAll(async () => {
  await Promise.all(STORES.map(async (store) => kills.set(store, await killAndRestart(store))));
}, KILL_TIMEOUT_MS);

describe.each(STORES)('kill -9 between any two commands, the store $name', (store) => {
  describe.each(KINDS)('of a $name', (kind) => {
    const get = () => kills.get(store)!.outcomes.filter((outcome) => outcome.kind === kind);
    const table = (row: (outcome: Outcome) => unknown) =>
      get().map((outcome) => [outcome.point, row(outcome)]);
    const isStored = ({ point }: Outcome) => point === COMMITTED || point === ANSWERED;

    test('strikes before every command that writes and before the commit, and after it', () => {
      const points = get().map(({ point }) => point);
      const tables = ['moneyRequests', 'events', 'webhookDeliveries'];
      const ofUpdate = ['operations', 'links', 'linkActivities'];
      const written = kind === update ? [...tables, ...ofUpdate] : tables;
      const last = ['before commitTransaction', COMMITTED, ANSWERED];
      if (kills.get(store)!.together) {
        expect(points.slice(-4)).toEqual(['before bulkWrite', ...last]);
      } else {
        for (const collection of written) {
          expect(points).toContainEqual(expect.stringMatching(`^before (insert|update) ${collection}$`));
        }
        expect(points.slice(-3)).toEqual(last);
      }
      expect(table(({ answer }) => answer?.status)).toEqual(
        table(({ point }) => (point === ANSWERED ? kind.status : undefined)),
      );
    });

    test('leaves every committed write, and no other', () => {
      const expected = (outcome: Outcome) => (isStored(outcome) ? kind.after : kind.before);
      expect(table(({ left }) => words(left))).toEqual(table(expected));
      expect(table(({ lookup }) => lookup.status)).toEqual(
        table((outcome) => (expected(outcome).length === 0 ? 404 : 200)),
      );
    });

    test('leaves it to a retry, which has the same bytes for an answer each time', () => {
      expect(table(({ retries }) => retries.map(({ status, text }) => [status, text]))).toEqual(
        table(({ retries, answer }) => retries.map(() => [kind.status, (answer ?? retries[0])?.text])),
      );
    });

    test('lets a retry find the committed writes, and store nothing else', () => {
      for (const { left, lookup, retries, afterwards } of get().filter(isStored)) {
        expect(JSON.parse(lookup.text)).toMatchObject(JSON.parse(String(retries[0]?.text)));
        expect(afterwards).toEqual(left);
      }
    });

    test('ends with everything there, once', () => {
      expect(table(({ afterwards }) => words(afterwards))).toEqual(table(() => kind.after));
    });
  });
});

const words = (records: readonly StoredRecord[]) => records.map(([what]) => what);

/** A money request that nobody knows yet, of a user of its own: two open transactions must not write the same document. */
function newMoneyRequest(): MoneyRequestIds {
  const referenceId = newReference();
  return {
    referenceId,
    userReferenceId: `user-${referenceId}`,
    operationId: `op_${referenceId}`,
    idempotencyKey: `key-${referenceId}`,
  };
}

/** Has requests come to all points of their way at once, kills their process, and starts the next. */
async function killAndRestart(store: Store): Promise<Killed> {
  const ENCRYPTION_KEY = encryptionKey.toString('hex');
  const deployment = await scene.deploy({
    store: 'embedded',
    processes: true,
    env:
      store === DIES || survivor === undefined
        ? { ENCRYPTION_KEY }
        : { ENCRYPTION_KEY, MONGODB_URI: withDatabase(survivor, 'remitgraph_create_kill') },
  });
  // Without a wake signal, which comes after the commit, the commit is a request's last command.
  const server = await deployment.start({
    ...preloading(...store.preloads, 'hold-at-command'),
    WEBHOOK_NUDGE: 'false',
  });
  const sent: Sent[] = [];
  for (const kind of KINDS) {
    const { example, commands } = await sendExample(server, kind);
    const points = IS_FULL
      ? [...commands.map((name) => `before ${name}`), COMMITTED]
      : writingPoints(commands);
    for (const point of points) {
      sent.push(await holdKindAt(server, kind, point));
    }
    sent.push(example);
  }
  await server.kill('SIGKILL');

  const exchange = exchangeWith((await deployment.start(preloading(...store.preloads))).url);
  const connection = await connectToStore(scene, deployment);
  const read = createRecordReader(connection, encryptionKey);
  return {
    outcomes: await Promise.all(sent.map((one) => lookAndRetry(exchange, read, one))),
    together: store.preloads.length === 0 && (await knowsBulkWrite(connection)),
  };
}

/** Sends a request that nothing holds, and returns the commands that it makes. */
async function sendExample(server: Server, kind: Kind): Promise<{ example: Sent; commands: string[] }> {
  const moneyRequest = await prepare(server, kind);
  const { answer, commands } = await learnCommands(server, moneyRequest.referenceId, (exchange) =>
    kind.send(exchange, moneyRequest),
  );
  return { example: { kind, point: ANSWERED, moneyRequest, answer: Promise.resolve(answer) }, commands };
}

async function holdKindAt(server: Server, kind: Kind, point: string): Promise<Sent> {
  const moneyRequest = await prepare(server, kind);
  const held = await holdAt(server, moneyRequest.referenceId, point, (exchange) =>
    kind.send(exchange, moneyRequest),
  );
  return { kind, point, moneyRequest, ...held };
}

/** The records that a request of this kind needs. */
async function prepare(server: Server, kind: Kind): Promise<MoneyRequestIds> {
  const moneyRequest = newMoneyRequest();
  if (kind !== create) {
    const exchange = exchangeWith(server.url);
    expect((await create.send(exchange, moneyRequest)).status).toBe(create.status);
    const input = { flow: 'REQUEST_MONEY', referenceId: moneyRequest.userReferenceId };
    expect((await queryGraph(exchange, CREATE_LINK, { input }, KEYS.globex)).errors).toBeUndefined();
  }
  return moneyRequest;
}

async function lookAndRetry(exchange: Exchange, read: ReadRecords, sent: Sent): Promise<Outcome> {
  const { kind, point, moneyRequest } = sent;
  const lookup = await lookUp(exchange, moneyRequest.referenceId, KEYS.globex);
  const left = await read(moneyRequest);
  const first = await kind.send(exchange, moneyRequest);
  const retries = [first, await kind.send(exchange, moneyRequest)];
  const afterwards = await read(moneyRequest);
  return { kind, point, answer: await sent.answer, lookup, left, retries, afterwards };
}
