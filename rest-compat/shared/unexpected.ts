import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Surface } from '../../subgraphs/platform/errors/catalogue.ts';
import { readPath, surfaceOf } from '../../subgraphs/platform/serve/surface.ts';
import {
  presentError as presentPartner,
  presentInternalError as presentPartnerInternalError,
} from '../partner/errors.ts';
import {
  presentError as presentRemittance,
  presentInternalError as presentRemittanceInternalError,
} from '../remittance/errors.ts';
import {
  presentError as presentRequestMoney,
  presentInternalError as presentRequestMoneyInternalError,
} from '../request-money/errors.ts';
import { isAway } from './away.ts';
import { type RestResponse, sendJson } from './reply.ts';

interface Presenters {
  away(): RestResponse;
  issue(): RestResponse;
}

const REQUEST_MONEY: Presenters = {
  away: () => presentRequestMoney('SERVICE_UNAVAILABLE'),
  issue: presentRequestMoneyInternalError,
};

const PRESENTERS: Readonly<Record<Surface, Presenters>> = {
  remittance: {
    away: () => presentRemittance('SERVICE_UNAVAILABLE', 'plain'),
    issue: presentRemittanceInternalError,
  },
  requestMoney: REQUEST_MONEY,
  partner: { away: () => presentPartner('SERVICE_UNAVAILABLE'), issue: presentPartnerInternalError },
  graphql: REQUEST_MONEY,
};

/** Answers what failed outside of the surfaces' own scopes: never in the framework's words. */
export function answerUnexpected(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { away, issue } = PRESENTERS[surfaceOf(readPath(request.url))];
  return sendJson(reply, isAway(error, request.log) ? away() : issue());
}
