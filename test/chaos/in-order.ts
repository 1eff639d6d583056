import type { NewDelivery } from '../../subgraphs/webhooks/queue.ts';
import type { Answer } from '../../subgraphs/webhooks/testing.ts';
import type { Stage } from './stage.ts';

/** The path of the endpoint whose partner asks for order. */
export const IN_ORDER = '/in-order';
/** Of each entity, every so many fail at first, and hold up the later ones. */
const FAILS_EVERY = 3;

/** An endpoint that gets the webhooks of each entity in order, and what it has seen. */
export interface OrderedEndpoint {
  readonly answer: Answer;
  /** The next deliveries of an entity, to be stored together, after those that were asked for before. */
  next(stage: Stage, entity: string, count: number): NewDelivery[];
  /** Posts before their turn, one line each. */
  problems(): string[];
}

/** A post: the `place`th of its entity's deliveries, from 0. */
interface OrderedPost {
  readonly entity: string;
  readonly place: number;
  readonly accepted: boolean;
}

export function createOrderedEndpoint(): OrderedEndpoint {
  const posts: OrderedPost[] = [];
  const failed = new Set<string>();
  const stored = new Map<string, number>();
  return {
    answer: ({ body }, response) => {
      const { data } = JSON.parse(body.toString()) as { data: { entity: string; place: number } };
      const key = `${data.entity} ${data.place}`;
      const accepted = data.place % FAILS_EVERY !== 0 || failed.has(key);
      failed.add(key);
      posts.push({ ...data, accepted });
      response.writeHead(accepted ? 204 : 500).end();
    },
    next: (stage, entity, count) => {
      const from = stored.get(entity) ?? 0;
      stored.set(entity, from + count);
      return Array.from({ length: count }, (_, index) =>
        stage.delivery(IN_ORDER, {
          entity,
          body: JSON.stringify({ event: 'operation_created', data: { entity, place: from + index } }),
        }),
      );
    },
    problems: () => findOutOfOrder(posts),
  };
}

/**
 * Of an entity each is posted only once the one before it was accepted. One that was accepted may come again, later: from a
 * process that was killed before it had recorded that.
 */
export function findOutOfOrder(posts: readonly OrderedPost[]): string[] {
  const accepted = new Map<string, number>();
  return posts.flatMap(({ entity, place, accepted: isAccepted }) => {
    const turn = accepted.get(entity) ?? 0;
    if (place > turn) {
      return [`${entity}: delivery ${place} was posted before delivery ${turn} was accepted`];
    }
    if (place === turn && isAccepted) {
      accepted.set(entity, turn + 1);
    }
    return [];
  });
}
