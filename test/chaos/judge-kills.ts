import { createEventModels } from '../../subgraphs/runtime/events/model.ts';
import type { AttemptDocument, DeliveryDocument } from '../../subgraphs/webhooks/model.ts';
import type { ReceivedRequest } from '../../subgraphs/webhooks/testing.ts';
import type { WebhookWorker } from '../support/webhook-worker/start.ts';
import type { OrderedEndpoint } from './in-order.ts';
import { type RejectedResult, readRejected } from './judge-leases.ts';
import type { Stage } from './stage.ts';

/** The traces of the workers of a run. */
export interface Killed {
  /** Ids that a process has reported as committed. */
  readonly acknowledged: Set<string>;
  /** Those of the killed workers, in order, each with the point of its end. */
  readonly dead: { readonly worker: WebhookWorker; readonly at: string }[];
  /** Those that have ended by themselves, at the end. */
  readonly survivors: WebhookWorker[];
  readonly ordered: OrderedEndpoint;
}

/** The findings of a run of kills. */
export interface KillReport {
  readonly kills: number;
  /** Kills by their points. */
  readonly points: ReadonlyMap<string, number>;
  readonly stored: number;
  readonly posts: number;
  /** Posts of attempts that were made before, and have no record. */
  readonly repeats: number;
  /** Attempts that had begun and were not recorded when their process was killed. */
  readonly inFlight: number;
  readonly deadLettered: number;
  /** Results that came too late; those that nothing explains are problems. */
  readonly rejected: readonly RejectedResult[];
  /** The faults, one line each; empty when all holds. */
  readonly problems: readonly string[];
}

/** All that is known of one delivery. */
interface Story {
  readonly delivery: DeliveryDocument;
  readonly attempts: readonly AttemptDocument[];
  readonly posts: readonly ReceivedRequest[];
  /** How many killed processes had begun an attempt of it and not recorded it. */
  readonly open: number;
  /** Its statuses by the event log, in order. */
  readonly statuses: readonly string[];
}

/** Compares what is stored with what the receiver has had, and with what the dead were at. */
export async function judgeKills(stage: Stage, killed: Killed): Promise<KillReport> {
  const stories = await readStories(stage, killed);
  const lost = [...killed.acknowledged].filter((id) => !stories.has(id));
  const all = [...stories.values()];
  const rejected = readRejected(workersOf(killed));
  const sum = (of: (story: Story) => number) => all.reduce((total, story) => total + of(story), 0);
  return {
    kills: killed.dead.length,
    points: countBy(killed.dead, ({ at }) => at),
    stored: stories.size,
    posts: stage.receiver.requests.length,
    repeats: sum(({ posts, attempts }) => posts.length - attempts.length),
    inFlight: sum(({ open }) => open),
    deadLettered: all.filter(({ delivery }) => delivery.status === 'DEAD_LETTERED').length,
    rejected,
    problems: [
      ...lost.map((id) => `${id}: acknowledged and not stored`),
      ...all.flatMap((story) =>
        problemsOf(story, stage.config.maxAttempts).map((problem) => `${story.delivery._id}: ${problem}`),
      ),
      ...workersOf(killed).flatMap(internalErrorsOf),
      ...strangersIn(stage, stories),
      ...rejected.flatMap(({ deliveryId, aheadMs }) =>
        aheadMs === undefined ? [`${deliveryId}: leased by two processes at a time`] : [],
      ),
      ...killed.ordered.problems(),
    ],
  };
}

function workersOf({ dead, survivors }: Killed): WebhookWorker[] {
  return [...dead.map(({ worker }) => worker), ...survivors];
}

function problemsOf(story: Story, maxAttempts: number): string[] {
  const { delivery, attempts, posts, open, statuses } = story;
  const path = posts[0]?.path ?? '';
  const isRejected = path.startsWith('/never');
  const last = isRejected ? 'DEAD_LETTERED' : 'DELIVERED';
  const repeats = posts.length - attempts.length;
  const checks: [holds: boolean, problem: string][] = [
    [posts.length > 0, 'never posted'],
    [delivery.status === last, `${delivery.status} in the end, not ${last}`],
    [statuses.join() === `PENDING,${last}`, `statuses ${statuses.join()} in the event log`],
    [repeats >= 0, `${attempts.length} attempts recorded, ${posts.length} posts`],
    [repeats <= open, `posted ${repeats} times more than recorded, ${open} times in flight at a kill`],
    [
      delivery.attempt === attempts.length && attempts.every(({ number }, index) => number === index + 1),
      `counts ${delivery.attempt} attempts; recorded are ${attempts.map(({ number }) => number).join()}`,
    ],
    [
      !isRejected || attempts.length === maxAttempts,
      `dead-lettered after ${attempts.length} attempts, not ${maxAttempts}`,
    ],
    [!/^.(kept|slow)/.test(path) || attempts.length === 1, `${attempts.length} attempts, not 1`],
    [delivery.leaseToken === undefined && delivery.claims === 0, 'still leased'],
    [new Set(posts.map(({ body }) => body.toString('hex'))).size <= 1, 'posted with different bytes'],
  ];
  return checks.flatMap(([holds, problem]) => (holds ? [] : [problem]));
}

async function readStories(stage: Stage, { dead }: Killed): Promise<Map<string, Story>> {
  const { connection, models, receiver } = stage;
  const [deliveries, attempts, events] = await Promise.all([
    models.deliveries.find().lean(),
    models.attempts.find().sort({ number: 1 }).lean(),
    createEventModels(connection).events.find({ entity: 'webhookDelivery' }).sort({ version: 1 }).lean(),
  ]);
  const attemptsOf = groupBy(attempts, ({ deliveryId }) => deliveryId);
  const eventsOf = groupBy(events, ({ entityId }) => entityId);
  const postsOf = groupBy(receiver.requests, deliveryIdOf);
  const openOf = countBy(
    dead.flatMap(({ worker }) => inFlightOf(worker)),
    (id) => id,
  );
  return new Map(
    deliveries.map((delivery) => [
      delivery._id,
      {
        delivery,
        attempts: attemptsOf.get(delivery._id) ?? [],
        posts: postsOf.get(delivery._id) ?? [],
        open: openOf.get(delivery._id) ?? 0,
        statuses: (eventsOf.get(delivery._id) ?? []).map(({ status }) => String(status)),
      },
    ]),
  );
}

/** Deliveries whose attempt a process had begun, and did not report the end of. */
function inFlightOf(worker: WebhookWorker): string[] {
  const open = new Set<string>();
  for (const { begun, deliveryId } of worker.journal()) {
    if (typeof begun === 'string') {
      open.add(begun);
    } else if (typeof deliveryId === 'string') {
      open.delete(deliveryId);
    }
  }
  return [...open];
}

/** Internal errors that a process logged, such as an attempt that it could not record. */
function internalErrorsOf(worker: WebhookWorker): string[] {
  return worker
    .journal()
    .filter(({ level }) => level === 'error')
    .map((line) => `a worker logs ${JSON.stringify(line)}`);
}

function strangersIn({ receiver }: Stage, stories: ReadonlyMap<string, Story>): string[] {
  const strangers = receiver.requests.filter((request) => !stories.has(deliveryIdOf(request)));
  return strangers.map((request) => `${deliveryIdOf(request)}: posted and not stored`);
}

function deliveryIdOf({ headers }: ReceivedRequest): string {
  return String(headers['x-webhook-delivery-id']);
}

function groupBy<T>(values: readonly T[], key: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const group = groups.get(key(value)) ?? [];
    group.push(value);
    groups.set(key(value), group);
  }
  return groups;
}

function countBy<T>(values: readonly T[], key: (value: T) => string): Map<string, number> {
  return new Map([...groupBy(values, key)].map(([name, group]) => [name, group.length]));
}
