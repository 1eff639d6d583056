import { setTimeout as delay } from 'node:timers/promises';
import type { Live } from '../../bench/mixed/live.ts';
import { type MixedScene, PARTNERS, type PartnerName, webhooksOf } from '../../bench/mixed/scene.ts';

/** A number that follows from the answers, and the same as the store or a receiver has it. */
export interface Entry {
  readonly name: string;
  readonly expected: number;
  readonly found: number;
  /** Of these, those that came more than once. */
  readonly repeated: number;
}

const LOOK_MS = 250;

/** Compares what was answered with what is stored and what has come, when all has come or the time for it is over. */
export async function readLedger(
  scene: MixedScene,
  live: Live,
  patienceMs: number,
): Promise<readonly Entry[]> {
  const deadline = performance.now() + patienceMs;
  let entries = await read(scene, live);
  while (entries.some(isWrong) && performance.now() < deadline) {
    await delay(LOOK_MS);
    entries = await read(scene, live);
  }
  return entries;
}

/** Whether something was lost or doubled. */
export function isWrong({ expected, found, repeated }: Entry): boolean {
  return found !== expected || repeated > 0;
}

async function read(scene: MixedScene, live: Live): Promise<Entry[]> {
  const { done, partner } = scene;
  const { expected, lost, repeated } = live.count();
  const entries: Entry[] = [];
  for (const name of PARTNERS.filter((one) => done.created[one] > 0)) {
    entries.push(...(await readPartner(scene, name)));
  }
  return [
    ...entries,
    { name: 'outcomes of atomic calls', expected: done.called, found: partner.outcomes(), repeated: 0 },
    { name: 'events of live subscribers', expected, found: expected - lost, repeated },
  ];
}

/** Creates, and one webhook for each change, of one partner. */
async function readPartner({ connection, done }: MixedScene, name: PartnerName): Promise<Entry[]> {
  const accountId = `${name}/sandbox`;
  const stored = await connection.collection('moneyRequests').distinct('referenceId', { accountId });
  const all = await connection.collection('moneyRequests').countDocuments({ accountId });
  const webhooks = webhooksOf(done, name);
  const deliveries = await connection
    .collection('webhookDeliveries')
    .countDocuments({ accountId, event: { $in: ['operation_created', 'operation_updated'] } });
  const { size } = done.accepted[name];
  return [
    {
      name: `money requests of ${name}`,
      expected: done.created[name],
      found: stored.length,
      repeated: all - stored.length,
    },
    { name: `webhooks for ${name}, stored`, expected: webhooks, found: deliveries, repeated: 0 },
    ...(name === 'dead'
      ? []
      : [
          {
            name: `webhooks for ${name}, accepted`,
            expected: webhooks,
            found: size,
            repeated: done.repeated[name],
          },
        ]),
  ];
}
