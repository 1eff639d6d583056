import { lookUp, newReference, queryGraph } from '../../support/money-requests.ts';
import { ask, listCalls, makeTimeline, TIMELINE_UPDATES } from '../console-calls.ts';
import { readFile } from '../exports.ts';
import type { Started } from '../offered-load.ts';
import { createHostile } from './hostile.ts';
import { createLive, type Live } from './live.ts';
import { expectStatus, keyOf, type MixedScene, OPERATIONS } from './scene.ts';

/** One kind of use, and how it is measured. */
export interface Path {
  readonly name: string;
  /** How many are under way at once when its own rate is found; undefined for health, whose rate is given. */
  readonly inFlight?: number;
  /** Calls a second of the soak, and of health always. */
  readonly modestRate: number;
  readonly isJudged: boolean;
  open?(): Promise<void>;
  start(): Started;
  close?(): Promise<void>;
}

/** All paths, and the live subscribers among them. */
interface Paths {
  readonly all: readonly Path[];
  readonly live: Live;
}

const TOTALS = `{ operationTotals(groupBy: [DAY, STATUS]) { status period count amount { amount currency } } }`;
const EXPORT = 'limit=300';
/** Of so many webhooks that are measured, one each goes to the slow and to the dead receiver besides. */
const BESIDE = 4;
/** Each update changes the details alone: so it may be made again and again. */
const UPDATED = { partnerId: 'acme', status: 'processing' };

/** Makes all paths of a scene, and the data that they read. @param subscribers how many live ones there are */
export async function createPaths(scene: MixedScene, subscribers: number): Promise<Paths> {
  const live = createLive(scene, subscribers);
  const path = (name: string, inFlight: number, modestRate: number, start: () => Started): Path => ({
    ...{ name, inFlight, modestRate, start, isJudged: true },
  });
  const call = (make: () => Promise<unknown>) => () => answered(make());
  const hostile = createHostile(scene);
  const all: Path[] = [
    path(
      'create',
      8,
      5,
      call(() => scene.create('acme')),
    ),
    path('lookup', 16, 20, call(lookUps(scene))),
    path('atomic call to outcome', 8, 2, () => callAtomically(scene)),
    path('status update', 8, 3, call(updates(scene))),
    path('dashboard', 4, 2, call(await dashboards(scene))),
    path('webhook, beside slow and dead', 8, 2, webhooks(scene)),
    path(
      'export',
      1,
      0.2,
      call(() => readFile(scene.server, EXPORT)),
    ),
    { ...path('hostile partner', 4, 0.2, hostile.start), ...hostile, isJudged: false },
    { ...path('live change to last subscriber', 2, 1, live.start), open: live.open, close: live.close },
    ...['live', 'ready'].map((name) => health(scene, name)),
  ];
  return { all, live };
}

/** A request whose answer is its end. */
function answered(call: Promise<unknown>): Started {
  const accepted = call.then(() => undefined);
  return { accepted, done: accepted };
}

/** An answer of 503 takes its time, too: it is counted. */
function health({ exchange, done }: MixedScene, name: string): Path {
  const call = async () => {
    const answer = await exchange({ method: 'GET', path: `/health/${name}` });
    if (answer.status === 503) {
      done.unready += 1;
    } else {
      expectStatus(200, answer);
    }
  };
  const start = () => answered(call());
  return { name: `/health/${name}`, modestRate: 10, isJudged: true, start };
}

function lookUps({ exchange, references }: MixedScene): () => Promise<unknown> {
  const next = inTurn(references);
  return async () => expectStatus(200, await lookUp(exchange, next()));
}

function callAtomically({ partner, server, done }: MixedScene): Started {
  const started = partner.call(server.url, { key: keyOf('pipeline') });
  const accepted = started.accepted.then(() => {
    done.called += 1;
  });
  return { accepted, done: started.done };
}

function updates({ exchange, references, env, done }: MixedScene): () => Promise<unknown> {
  const next = inTurn(references);
  let turn = 0;
  return async () => {
    turn += 1;
    const answer = await exchange({
      method: 'PATCH',
      path: '/v1/internal/remittances/status',
      headers: { 'Content-Type': 'application/json', 'X-Internal-Key': String(env.INTERNAL_API_KEY) },
      body: JSON.stringify({ ...UPDATED, referenceId: next(), statusDetails: `Step${turn}` }),
    });
    expectStatus(200, answer);
    done.updated += 1;
  };
}

/** Lists and a timeline by the console's documents, and totals, one after the other. */
async function dashboards({
  exchange,
  server: { url },
  env,
  done,
}: MixedScene): Promise<() => Promise<unknown>> {
  const timeline = await makeTimeline(url, String(env.INTERNAL_API_KEY));
  done.created.acme += 1;
  done.updated += TIMELINE_UPDATES;
  const calls = [timeline, ...(await listCalls(url, OPERATIONS))].map((call) => () => ask(url, call));
  const totals = async (): Promise<unknown> => {
    const { errors, data } = await queryGraph(exchange, TOTALS);
    if (errors || !data) {
      throw new Error(`Totals: ${JSON.stringify(errors)}`);
    }
    return data;
  };
  const next = inTurn<() => Promise<unknown>>([...calls, totals]);
  return () => next()();
}

/** Creates, until the webhook is at a healthy partner's; some of a slow and of a dead receiver's besides. */
function webhooks(scene: MixedScene): () => Started {
  let turn = 0;
  return () => {
    turn += 1;
    const referenceId = newReference();
    const done = scene.delivered(referenceId);
    const beside = turn % BESIDE === 0 ? (['slow', 'dead'] as const) : [];
    const creates = [scene.create('swift', referenceId), ...beside.map((name) => scene.create(name))];
    return { accepted: Promise.all(creates).then(() => undefined), done };
  };
}

/** The next item, the first one behind the last. */
function inTurn<Item>(items: readonly Item[]): () => Item {
  let turn = 0;
  return () => {
    const item = items[turn % items.length];
    turn += 1;
    if (item === undefined) {
      throw new Error('There is nothing to take turns');
    }
    return item;
  };
}
