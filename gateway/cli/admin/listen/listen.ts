import { setTimeout as delay } from 'node:timers/promises';
import type { Model } from 'mongoose';
import type { Box } from '../../../../subgraphs/kernel/crypto/box.ts';
import { isOutage } from '../../../../subgraphs/kernel/database/outage.ts';
import { messageOf } from '../../../../subgraphs/kernel/errors/thrown.ts';
import type { Events, LoggedEvent } from '../../../../subgraphs/runtime/events/index.ts';
import { toRequest } from '../../../../subgraphs/webhooks/delivery-job.ts';
import type { DeliveryDocument } from '../../../../subgraphs/webhooks/model.ts';
import type { SigningKeyOf } from '../../../../subgraphs/webhooks/signing-key.ts';
import { type Listened, type ListenOptions, UsageError } from '../command.ts';
import type { CursorFile } from './cursor-file.ts';
import type { Poster } from './poster.ts';

export interface ListenDeps {
  readonly events: Pick<Events, 'follow' | 'latestCursor'>;
  readonly deliveries: Model<DeliveryDocument>;
  /** Opens sealed parts of deliveries. */
  readonly box: Box;
  readonly signingKeyOf: SigningKeyOf;
  readonly poster: Pick<Poster, 'post'>;
  readonly cursors: CursorFile;
  readonly clock: () => Date;
  /** Shows a line. */
  readonly say: (line: string) => void;
}

/**
 * Forwards an account's webhooks as they are stored or sent again, one after the other, until the signal. It follows
 * the event log, so it also forwards webhooks from between two runs, and it waits during an outage of the database.
 * It changes nothing: forwarding does not count as an attempt. A webhook whose forwarding was interrupted is
 * forwarded again.
 * @throws UsageError for an invalid cursor
 */
export async function listen(
  deps: ListenDeps,
  options: ListenOptions,
  signal: AbortSignal,
): Promise<Listened> {
  const { cursors, say } = deps;
  const { cursor: start, stream } = await begin(deps, options, signal);
  cursors.write(start);
  say(`Listening to ${options.accountId}, forwarding to ${options.forward.href}. Ctrl-C ends it.`);
  const counts = { forwarded: 0, failed: 0 };
  let cursor = start;
  for await (const event of stream) {
    const outcome = await forward(deps, options, event, signal);
    if (outcome === 'stopped') {
      break;
    }
    counts[outcome] += 1;
    cursor = event.cursor;
    cursors.write(cursor);
  }
  return { ...counts, cursor };
}

async function begin(
  { events, cursors, say }: ListenDeps,
  { accountId, after }: ListenOptions,
  signal: AbortSignal,
): Promise<{ cursor: string; stream: AsyncIterable<LoggedEvent> }> {
  const followAfter = (cursor: string) =>
    events.follow({ accountId, entity: 'webhookDelivery', matches: isToBeSent, after: cursor, signal });
  const kept = after ?? cursors.read();
  if (kept !== undefined) {
    const followed = await followAfter(kept);
    if (followed.ok) {
      return { cursor: kept, stream: followed.value };
    }
    const why = String(followed.failures[0]?.message);
    if (after !== undefined) {
      throw new UsageError(`--after: ${why}`);
    }
    say(`The last run's place in the log does not count any more (${why}) It begins with what comes now.`);
  }
  const cursor = await events.latestCursor(accountId);
  const followed = await followAfter(cursor);
  if (!followed.ok) {
    throw new Error(`The log's own cursor was not taken: ${followed.failures[0]?.code}`);
  }
  return { cursor, stream: followed.value };
}

/** New deliveries, and deliveries that are sent again. */
function isToBeSent({ status }: LoggedEvent): boolean {
  return status === 'PENDING';
}

async function forward(
  deps: ListenDeps,
  { accountId, forward: url }: ListenOptions,
  event: LoggedEvent,
  signal: AbortSignal,
): Promise<'forwarded' | 'failed' | 'stopped'> {
  const find = async () => deps.deliveries.findOne({ accountId, _id: event.entityId }).lean();
  const found = await findPatiently(deps, find, signal);
  if (found === 'stopped') {
    return found;
  }
  const print = (result: string) =>
    deps.say([deps.clock().toISOString(), found?.event ?? '?', event.entityId, result].join('  '));
  if (found === null) {
    print('is no longer kept');
    return 'failed';
  }
  let request: ReturnType<typeof toRequest>;
  try {
    request = toRequest(deps, found, deps.clock());
  } catch (error) {
    // It would fail the next time, too, so the others continue.
    print(`cannot be opened: ${messageOf(error)}`);
    return 'failed';
  }
  const started = performance.now();
  const result = await deps.poster.post(url, request, signal);
  if (result.kind === 'stopped') {
    return 'stopped';
  }
  const ms = Math.round(performance.now() - started);
  print(result.kind === 'answered' ? `${result.statusCode} in ${ms} ms` : `no answer: ${result.reason}`);
  return result.kind === 'answered' ? 'forwarded' : 'failed';
}

const OUTAGE_PAUSE_MS = 1_000;

/** Reads until the database answers. */
async function findPatiently(
  { say }: Pick<ListenDeps, 'say'>,
  find: () => Promise<DeliveryDocument | null>,
  signal: AbortSignal,
): Promise<DeliveryDocument | null | 'stopped'> {
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      return await find();
    } catch (error) {
      if (!isOutage(error)) {
        throw error;
      }
      if (isFirst) {
        say('The database cannot be reached; waiting for it.');
      }
      await delay(OUTAGE_PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  return 'stopped';
}
