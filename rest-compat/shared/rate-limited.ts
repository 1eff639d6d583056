import type { FastifyReply } from 'fastify';
import { CATALOGUE, type Surface, statusOf } from '../../subgraphs/platform/errors/catalogue.ts';
import { sendJson } from './reply.ts';

type RestSurface = Exclude<Surface, 'graphql'>;

const CODE = 'RATE_LIMITED';
const { message } = CATALOGUE[CODE];

/** The error of each document (decisions, sections 2 to 4). */
const BODIES: Readonly<Record<RestSurface, unknown>> = {
  remittance: { reason: message },
  requestMoney: { error: { code: CODE, message } },
  partner: { success: false, error: { code: CODE, message, details: null } },
};

/** A call too many: 429 in the shape of its surface, and after how many whole seconds to come again. */
export function answerRateLimited(
  reply: FastifyReply,
  surface: RestSurface,
  retryAfterSeconds: number,
): FastifyReply {
  const headers = { 'retry-after': String(retryAfterSeconds) };
  return sendJson(reply, { status: statusOf(CODE, surface), body: BODIES[surface], headers });
}
