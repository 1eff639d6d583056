import { type EndpointStateDocument, type EndpointStateModel, HOLDS, type Hold } from './endpoint-state.ts';

/** The numbers of held endpoints, of all accounts. A paused endpoint may also have an open breaker. */
export interface HeldEndpoints {
  readonly paused: number;
  readonly open: number;
  readonly halfOpen: number;
}

/** A held endpoint: its digest, and what holds it. */
export type HeldEndpoint = Pick<EndpointStateDocument, '_id' | 'holds'>;

/** The filter of states of held endpoints. */
export const HELD = { holds: { $in: [...HOLDS] } };

/** The most held endpoints that are read; deliveries of further ones count as due. */
export const MOST_HELD = 10_000;

/**
 * A filter of deliveries that are kept on purpose: all of paused endpoints, and those of endpoints with an open breaker that were
 * never tried. Undefined where no endpoint is held.
 */
export function heldDeliveries(held: readonly HeldEndpoint[]): { $or: object[] } | undefined {
  const withHold = (hold: Hold) => held.filter(({ holds }) => holds.includes(hold)).map(({ _id }) => _id);
  const kept = [
    { endpoint: { $in: withHold('PAUSED') } },
    { endpoint: { $in: withHold('BREAKER') }, attempt: 0 },
  ];
  return held.length === 0 ? undefined : { $or: kept };
}

/** Counts held endpoints without looking at others. @throws when the database cannot be reached */
export async function countHeldEndpoints(states: EndpointStateModel): Promise<HeldEndpoints> {
  const isPaused = { $in: ['PAUSED', '$holds'] };
  const isOpen = { $eq: ['$breaker.state', 'OPEN'] };
  const isHalfOpen = { $eq: ['$breaker.state', 'HALF_OPEN'] };
  const [counts] = await states.aggregate<HeldEndpoints>([
    { $match: { holds: { $in: [...HOLDS] } } },
    {
      $group: {
        _id: null,
        paused: { $sum: { $cond: [isPaused, 1, 0] } },
        open: { $sum: { $cond: [isOpen, 1, 0] } },
        halfOpen: { $sum: { $cond: [isHalfOpen, 1, 0] } },
      },
    },
  ]);
  const { paused = 0, open = 0, halfOpen = 0 } = counts ?? {};
  return { paused, open, halfOpen };
}
