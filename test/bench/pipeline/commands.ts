import { setTimeout as delay } from 'node:timers/promises';
import { exchangeWith } from '../../support/http.ts';
import { createMoneyRequest, moneyRequestBody, newReference } from '../../support/money-requests.ts';
import type { Partner } from '../atomic-calls.ts';
import { offer, type Started } from '../offered-load.ts';
import type { RecordedServer } from '../recording.ts';
import { type BenchDatabase, say, table } from '../stand.ts';

/** Longer than what follows an outcome takes: its attempt is recorded, its events are numbered. */
const SETTLE_MS = 3_000;
const RATE = 8;
const SECONDS = 5;
const POLL_MS = 25;

/** Counts the commands of an atomic call until its outcome is delivered and recorded. */
export function countAtomicCalls(server: RecordedServer, partner: Partner): Promise<void> {
  return count(server, 'an atomic call with its outcome', () => partner.call(server.url));
}

/** Counts those of a create with an idempotency key until its webhook is delivered and recorded. */
export function countCreates(server: RecordedServer, { connection }: BenchDatabase): Promise<void> {
  const exchange = exchangeWith(server.url);
  const deliveries = connection.collection('webhookDeliveries');
  let created = 0;
  const create = async (idempotencyKey: string) => {
    const body = moneyRequestBody(idempotencyKey);
    const { status, text } = await createMoneyRequest(exchange, body, { idempotencyKey });
    if (status !== 201) {
      throw new Error(`A create was answered ${status}: ${text}`);
    }
    created += 1;
  };
  return count(
    server,
    'a create with key and delivered webhook',
    () => {
      const accepted = create(newReference());
      return { accepted, done: accepted };
    },
    async () => {
      while (
        (await deliveries.countDocuments({ event: 'operation_created', status: 'DELIVERED' })) < created
      ) {
        await delay(POLL_MS);
      }
    },
  );
}

/** All that is on the wire to the database at a moderate rate, what processes do for themselves included. */
async function count(
  server: RecordedServer,
  title: string,
  start: () => Started,
  untilDone: () => Promise<void> = async () => undefined,
): Promise<void> {
  server.take();
  const { whole } = await offer(start, RATE, SECONDS);
  await untilDone();
  await delay(SETTLE_MS);
  const sent = server.take().filter(({ isPart }) => !isPart);
  const byKind = new Map<string, number>();
  for (const { name, command } of sent) {
    const of = typeof command[name] === 'string' ? ` ${command[name]}` : '';
    const kind = `${name}${name === 'getMore' ? '' : of}`;
    byKind.set(kind, (byKind.get(kind) ?? 0) + 1);
  }
  const perCall = (commands: number) => (commands / whole.length).toFixed(2);
  say(`Commands to the database for ${title}, at ${RATE} a second: ${perCall(sent.length)}`);
  const rows = [...byKind].sort(([, one], [, other]) => other - one).map(([kind, n]) => [kind, perCall(n)]);
  table(['', 'a call'], rows, 1);
  say('');
}
