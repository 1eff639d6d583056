import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Surface } from '../../subgraphs/platform/errors/catalogue.ts';
import { readPath, surfaceOf } from '../../subgraphs/platform/serve/surface.ts';
import { presentError as presentPartner, presentFault as presentPartnerFault } from '../partner/errors.ts';
import {
  presentError as presentRemittance,
  presentFault as presentRemittanceFault,
} from '../remittance/errors.ts';
import {
  presentError as presentRequestMoney,
  presentFault as presentRequestMoneyFault,
} from '../request-money/errors.ts';
import { isAway } from './away.ts';
import { type RestResponse, sendJson } from './reply.ts';

interface Presenters {
  away(): RestResponse;
  fault(): RestResponse;
}

const REQUEST_MONEY: Presenters = {
  away: () => presentRequestMoney('SERVICE_UNAVAILABLE'),
  fault: presentRequestMoneyFault,
};

const PRESENTERS: Readonly<Record<Surface, Presenters>> = {
  remittance: {
    away: () => presentRemittance('SERVICE_UNAVAILABLE', 'plain'),
    fault: presentRemittanceFault,
  },
  requestMoney: REQUEST_MONEY,
  partner: { away: () => presentPartner('SERVICE_UNAVAILABLE'), fault: presentPartnerFault },
  graphql: REQUEST_MONEY,
};

/** Answers what failed outside of the surfaces' own scopes: never in the framework's words. */
export function answerUnexpected(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { away, fault } = PRESENTERS[surfaceOf(readPath(request.url))];
  return sendJson(reply, isAway(error, request.log) ? away() : fault());
}
