import type { FastifyBaseLogger } from 'fastify';
import { isOutage } from '../../subgraphs/platform/database/outage.ts';

/** Whether a call failed because the store is away, and not for a bug of ours. Either is told to the operator. */
export function isAway(error: unknown, log: FastifyBaseLogger): boolean {
  const away = isOutage(error);
  if (away) {
    log.warn({ err: error }, 'rest.store away');
  } else {
    log.error({ err: error }, 'rest.request failed');
  }
  return away;
}
