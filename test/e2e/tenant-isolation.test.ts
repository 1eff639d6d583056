import { beforeAll, describe, expect, test } from '@jest/globals';
import { OperationTypeNode } from 'graphql';
import { type AccountId, tenantOf } from '../../subgraphs/kernel/account.ts';
import { IS_FULL } from '../support/depth.ts';
import { countReads, isSame } from '../support/isolation/count-reads.ts';
import { undrivenCalls, undrivenFields } from '../support/isolation/coverage.ts';
import { drive, driveForeign, leaksIn } from '../support/isolation/drive.ts';
import { MUTATIONS, NODES, QUERIES, SUBSCRIPTIONS } from '../support/isolation/graph-calls.ts';
import type { IdName } from '../support/isolation/ids.ts';
import { OF_NO_TENANT, REST_READS, restWritesOf, UNDESCRIBED } from '../support/isolation/rest-calls.ts';
import { rootFieldsOf } from '../support/isolation/selection.ts';
import { REST_SIMULATIONS, SIMULATIONS } from '../support/isolation/simulations.ts';
import { ACCESSES, type Driver, LISTS, PAIRS, type Stage, setStage } from '../support/isolation/stage.ts';
import { countOf, digestsOf, unownedIn } from '../support/isolation/store.ts';
import { graphSender, readDescriptions, restSender, textOf } from '../support/isolation/surfaces.ts';
import { fillTenant, isDone } from '../support/isolation/tenant-data.ts';
import { valuesRead } from '../support/isolation/values.ts';
import { type GraphArguments, mask, preparing, type Variants } from '../support/isolation/variant.ts';
import { queryGraph } from '../support/money-requests.ts';
import { findDrift } from '../support/record-served.ts';
import { useScene } from '../support/scene.ts';
import type { Statement } from '../support/shard-routing.ts';
import { readStatements, textOf as textOfStatement, writeStatements } from '../support/sharding-table.ts';
import { until } from '../support/until.ts';

const { QUERY, MUTATION, SUBSCRIPTION } = OperationTypeNode;

const scene = useScene();
// In one server: how a tenant gets from a gateway to subgraphs of other servers, tenants.test.ts tries for less.
describe.each(PAIRS)('Ids of %s', (_title, pair) => {
  const [CALLER, VICTIM] = [pair.caller, pair.victim];
  const REST_WRITES = restWritesOf(CALLER.accountId);
  let stage: Stage;
  beforeAll(async () => {
    stage = await setStage(scene, pair);
  });

  const restDrive = ({ caller, prepare, rest, theirs }: Driver = stage) => ({
    ...{ caller: caller.accountId, victim: VICTIM.accountId, prepare, sets: rest, theirs },
    send: restSender(stage.exchange, caller.key),
  });
  const graphDrive = (operation: OperationTypeNode, { caller, prepare, graph, theirs }: Driver = stage) => ({
    ...{ caller: caller.accountId, victim: VICTIM.accountId, prepare, sets: graph, theirs },
    send: graphSender(stage.exchange, stage.schema, operation, caller.key),
  });

  describe('are tried', () => {
    test('in every documented call, wherever an id stands in it', async () => {
      const driven: Variants<unknown> = { ...REST_READS, ...REST_WRITES };
      const documents = await readDescriptions(stage.exchange);
      expect(documents.flatMap((document) => undrivenCalls(document, driven))).toEqual(OF_NO_TENANT);
      const described = documents.flatMap(({ paths }) =>
        Object.entries(paths).flatMap(([path, methods]) =>
          Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
        ),
      );
      const all = [...Object.keys(driven), ...OF_NO_TENANT];
      expect(all.toSorted()).toEqual([...described, ...UNDESCRIBED].toSorted());
    });

    test.each([
      [QUERY, QUERIES],
      [MUTATION, MUTATIONS],
      [SUBSCRIPTION, SUBSCRIPTIONS],
    ])('in every field of %s, wherever an id stands in its arguments', (operation, driven) => {
      expect(undrivenFields(stage.schema, operation, driven)).toEqual([]);
      expect(Object.keys(driven).toSorted()).toEqual(
        Object.keys(rootFieldsOf(stage.schema, operation)).toSorted(),
      );
    });

    test('in node, for every type that is one', () => {
      const node = stage.schema.getType('Node') as never;
      const types = stage.schema.getPossibleTypes(node).map(({ name }) => name);
      expect(Object.keys(NODES).toSorted()).toEqual(types.toSorted());
    });

    test('by an account that has everything itself, some of it with the same ids', async () => {
      expect(await unownedIn(stage.database, await accountIds())).toEqual([]);
      const kinds = (digests: object) => new Set(Object.keys(digests).map((name) => name.split(' ')[0]));
      const theirs = kinds(await digestsOf(stage.database, VICTIM.accountId));
      expect(kinds(await digestsOf(stage.database, CALLER.accountId))).toEqual(theirs);
      expect(theirs.size).toBeGreaterThan(15);
      expect(stage.theirs.length).toBeGreaterThan(200);
    });
  });

  async function accountIds(): Promise<AccountId[]> {
    const tenants = await stage.database.collection('tenants').find().toArray();
    return tenants.map(({ _id }) => String(_id) as AccountId);
  }

  describe('read nothing', () => {
    test('by REST', async () => {
      expect(await drive(REST_READS, restDrive())).toEqual([]);
    });

    test('by GraphQL', async () => {
      expect(await drive(QUERIES, graphDrive(QUERY))).toEqual([]);
    });

    if (pair.stranger) {
      test('for another partner', async () => {
        const { strange = stage } = stage;
        expect(strange.caller).toBe(pair.stranger);
        expect(await drive(REST_READS, restDrive(strange))).toEqual([]);
        // REST has an answer of its own to another partner. By GraphQL it is an account as the other environment is.
        if (IS_FULL) {
          expect(await drive(QUERIES, graphDrive(QUERY, strange))).toEqual([]);
        }
      });
    }

    test("and count for nothing: totals are the caller's own", async () => {
      const lists = Object.keys(rootFieldsOf(stage.schema, QUERY)).filter((name) => name in LISTS);
      const fields = Object.values(rootFieldsOf(stage.schema, QUERY));
      const connections = fields.filter(({ type }) => String(type).endsWith('Connection!'));
      // The log of requests grows with each call, and has a test of its own (`request-log.test.ts`).
      const stable = connections.map(({ name }) => name).filter((name) => name !== 'requestLog');
      expect(lists.toSorted()).toEqual(stable.toSorted());
      const alike: string[] = [];
      for (const list of lists) {
        const query = `{ list: ${list}(first: 1) { totalCount } }`;
        const answer = await queryGraph<{ list: { totalCount: number } }>(
          stage.exchange,
          query,
          {},
          CALLER.key,
        );
        const total = await countOf(stage.database, LISTS[list]!, CALLER.accountId);
        expect([list, answer.data?.list.totalCount]).toEqual([list, total]);
        if ((await countOf(stage.database, LISTS[list]!, VICTIM.accountId)) === total) {
          alike.push(list);
        }
      }
      const day = 86_400_000;
      const [from, to] = [-30, 1].map((days) => new Date(Date.now() + days * day).toISOString());
      for (const [of, list] of [
        ['OPERATION', 'operations'],
        ['REQUEST_MONEY', 'requestMonies'],
      ] as const) {
        const query = `{ figures(of: ${of}, from: "${from}", to: "${to}") { total { created } } }`;
        const { data } = await queryGraph<{ figures: { total: { created: number } } }>(
          stage.exchange,
          query,
          {},
          CALLER.key,
        );
        const total = await countOf(stage.database, LISTS[list]!, CALLER.accountId);
        expect([list, data?.figures.total.created]).toEqual([list, total]);
      }
      // Counts that are alike prove nothing; by chance, one list may have as many records in both accounts.
      expect(alike.length).toBeLessThan(2);
      for (const list of ['links', 'users', 'operations']) {
        const { text } = await restDrive().send(`GET /partner/${list}`, {});
        const total = await countOf(stage.database, list, CALLER.accountId);
        expect([list, JSON.parse(text).data.pagination.total]).toEqual([list, total]);
      }
    });
  });

  test('cause the same reads of the store as unknown ones', async () => {
    const report = [
      ...(await countReads(REST_READS, restDrive(), stage.served)),
      ...(await countReads(QUERIES, graphDrive(QUERY), stage.served)),
    ];
    expect(report.length).toBeGreaterThan(40);
    expect(report.filter(([, { foreign }]) => foreign.length > 0).length).toBeGreaterThan(40);
    expect(report.filter(([, reads]) => !isSame(reads))).toEqual([]);
  });

  test('receive nothing', async () => {
    const { own, foreign, unknown } = stage.graph;
    const follow = (name: string, variables: GraphArguments['variables']) => {
      const query = textOf(stage.schema, SUBSCRIPTION, name, { variables });
      return stage.socket.subscribe<object>(query, variables);
    };
    const tries = Object.entries(SUBSCRIPTIONS).flatMap(([name, ways]) =>
      ways.map((way) => {
        const [theirs, nobodys, mine] = [foreign, unknown, own].map((ids) => {
          const { args, sent } = stage.prepare(way, ids);
          return { messages: follow(name, args.variables), sent };
        });
        return { name, theirs: theirs!, nobodys: nobodys!, mine: mine! };
      }),
    );
    const after = own.get('cursor:events');
    const all = Object.keys(SUBSCRIPTIONS).map((name) => [name, follow(name, { after })] as const);
    const later = await fillTenant(VICTIM, stage.exchange);
    const last = await fillTenant(CALLER, stage.exchange);
    for (const [name, { events }] of all) {
      const id = String(last.ids.get(LAST_RECEIVED[name]!));
      await until(`${name} of the last`, () => JSON.stringify(events).includes(id));
    }
    for (const { name, theirs, nobodys, mine } of tries) {
      const [foreigns, unknowns] = [theirs, nobodys].map(({ messages: { events, errors }, sent }) => ({
        name,
        events: [...events],
        errors: mask(JSON.stringify(errors), sent),
      }));
      expect(foreigns).toEqual(unknowns);
      expect(foreigns).toMatchObject({ events: [] });
      expect([name, mine.messages.events.length > 0, mine.messages.errors]).toEqual([name, true, []]);
      expect(leaksIn({ text: JSON.stringify(mine.messages.events) }, mine, stage.theirs)).toEqual([]);
    }
    const values = [...stage.theirs, ...later.ids.values(), ...later.secrets];
    for (const [name, { events, errors }] of all) {
      const leaked = leaksIn({ text: JSON.stringify(events) }, { sent: new Map() }, values);
      expect([name, errors, leaked]).toEqual([name, [], []]);
    }
  });

  describe('change nothing', () => {
    let before: Record<string, string>;
    beforeAll(async () => {
      before = await digestsOf(stage.database, VICTIM.accountId);
    });

    test('by REST', async () => expect(await drive(REST_WRITES, restDrive())).toEqual([]));

    test('by GraphQL', async () => expect(await drive(MUTATIONS, graphDrive(MUTATION))).toEqual([]));

    test.each(ACCESSES)(
      'in a console session with the access %s, which reads nothing either',
      async (access) => {
        const { headers, prepare } = await stage.openSession(access);
        // Ids that the caller has named itself may be in its own records by now.
        const driver = { ...stage, prepare, theirs: stage.secrets };
        const asPage = (operation: OperationTypeNode) =>
          graphSender(stage.exchange, stage.schema, operation, headers);
        const { text } = await asPage(QUERY)('me', { variables: {} });
        expect(JSON.parse(text).data.me).toMatchObject({ id: tenantOf(CALLER.accountId) });
        for (const [operation, calls] of [
          [QUERY, QUERIES],
          [MUTATION, MUTATIONS],
        ] as const) {
          const tried = { ...graphDrive(operation, driver), send: asPage(operation) };
          expect(await driveForeign(calls, tried)).toEqual([]);
        }
      },
    );

    if (pair.stranger) {
      test('for another partner', async () => {
        // Ids that it names itself may be in its own records by then.
        const strange = { ...(stage.strange ?? stage), theirs: stage.secrets };
        expect(strange.caller).toBe(pair.stranger);
        const restWrites = restWritesOf(strange.caller.accountId);
        expect(await driveForeign(restWrites, restDrive(strange))).toEqual([]);
        if (IS_FULL) {
          expect(await driveForeign(MUTATIONS, graphDrive(MUTATION, strange))).toEqual([]);
        }
      });
    }

    test('of the other account in the store, and no webhook of it reaches the caller', async () => {
      const { exchange, database, secrets, deployment, prepare, graph, schema } = stage;
      await until('the caller has nothing under way', () => isDone(CALLER, exchange));
      expect(await digestsOf(database, VICTIM.accountId)).toEqual(before);
      const send = graphSender(exchange, schema, QUERY, CALLER.key);
      const read = await valuesRead(QUERIES, { send, prepare, ids: graph.own });
      const isOwn = (path: string) => pair.hooks.includes(String(path.split('?')[0]));
      const received = deployment.receiver.webhooks.filter(({ path }) => isOwn(path));
      expect(received.length).toBeGreaterThan(20);
      const text = [...read, ...received.map((webhook) => webhook.text)].join('\n');
      expect(leaksIn({ text }, { sent: new Map() }, secrets)).toEqual([]);
      const others = deployment.receiver.webhooks.filter(({ path }) => !isOwn(path));
      const sent = others.map((webhook) => webhook.text).join('\n');
      expect(leaksIn({ text: sent }, { sent: new Map() }, stage.ownSecrets)).toEqual([]);
    });

    test('by simulations of the victim, with ids that both have', async () => {
      const { exchange, schema, database, rest, ownSecrets } = stage;
      const ids = rest.own;
      const prepare = preparing(ids, [].values());
      const own = await digestsOf(database, CALLER.accountId);
      const theirs = await digestsOf(database, VICTIM.accountId);
      const graph = graphSender(exchange, schema, MUTATION, VICTIM.key);
      const read = [
        ...(await valuesRead(SIMULATIONS, { send: graph, prepare, ids })),
        ...(await valuesRead(REST_SIMULATIONS, { send: restSender(exchange, VICTIM.key), prepare, ids })),
      ];
      expect(leaksIn({ text: read.join('\n') }, { sent: new Map() }, ownSecrets)).toEqual([]);
      expect(await digestsOf(database, VICTIM.accountId)).not.toEqual(theirs);
      expect(await digestsOf(database, CALLER.accountId)).toEqual(own);
    });
  });

  describe('and all that the server has sent to its database', () => {
    const recorded = () => [...stage.statements.values()].filter(({ reach }) => reach !== 'one place');

    test('reaches on a sharded cluster what SHARDING.md says; every shard only with a reason', () => {
      if (process.env.SHARDING === 'write') {
        writeStatements(recorded());
      }
      const listed = new Map(readStatements().map((one) => [textOfStatement(one), one]));
      const isListed = (one: Statement) => listed.get(textOfStatement(one))?.reach === one.reach;
      const scattered = recorded().filter(({ reach }) => reach === 'every shard');
      expect(scattered.filter((one) => !isListed(one))).toEqual([]);
      const reasons = [...listed.values()]
        .filter(({ reach }) => reach === 'every shard')
        .map(({ why }) => why);
      expect(reasons.filter((why) => why.length < 10)).toEqual([]);
      // Some come by chance, such as that of a claim which another worker was faster with.
      const known = recorded().filter(isListed);
      expect(known.length).toBeGreaterThan(0.9 * recorded().length);
      const listedHere = [...listed.values()].filter(({ reach }) => reach !== 'every shard');
      const knownHere = known.filter(({ reach }) => reach !== 'every shard');
      // Statements to every shard are mostly of jobs, which do not all run here: the table keeps them.
      expect(knownHere.length).toBeGreaterThan(0.9 * listedHere.length);
    });

    test('is served by the index that INDEXES.md names', () => {
      expect(findDrift(stage.judged)).toEqual([]);
    });
  });
});

/** The id in the last event of each kind that {@link fillTenant} causes. */
const LAST_RECEIVED: Readonly<Record<string, IdName>> = {
  linkActivityAdded: 'linkId',
  webhookDeliveryChanged: 'deliveryId',
  operationStatusChanged: 'operationId',
  requestMoneyStatusChanged: 'referenceId',
  remittanceChanged: 'failedId',
};
