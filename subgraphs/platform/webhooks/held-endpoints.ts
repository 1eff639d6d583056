import { type EndpointStateModel, HOLDS } from './endpoint-state.ts';

/** The numbers of held endpoints, of all tenants. A paused endpoint may also have an open breaker. */
export interface HeldEndpoints {
  readonly paused: number;
  readonly open: number;
  readonly halfOpen: number;
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
