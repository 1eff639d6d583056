import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { RequestContext } from '../../../subgraphs/kernel/principal.ts';
import type { Engine } from '../../engine/index.ts';
import { type GraphQLHttpRequest, writeResult } from './checks.ts';
import type { EventStreams } from './event-streams.ts';
import { EVENT_STREAM } from './media-type.ts';

/** Runs a request that passed the checks; sets status and headers, and returns the body to send. */
export async function answerRequest(
  engine: Engine<RequestContext>,
  { parameters, mediaType, isSubscription }: GraphQLHttpRequest,
  context: RequestContext,
  reply: FastifyReply,
  streams: EventStreams,
): Promise<ReturnType<typeof writeResult> | Readable> {
  if (mediaType !== EVENT_STREAM) {
    return writeResult(reply, await engine.execute(parameters, context), mediaType);
  }
  reply.header('content-type', `${EVENT_STREAM}; charset=utf-8`);
  if (reply.request.method === 'HEAD') {
    // Only the headers: nothing would read or end the events.
    return '';
  }
  const results = isSubscription
    ? await engine.subscribe(parameters, context)
    : await engine.execute(parameters, context);
  return streams.open(results, context);
}
