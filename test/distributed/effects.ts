import type { Connection } from 'mongoose';
import type { ProviderServer } from '../support/providers.ts';
import { headerOf, type Receiver } from '../support/receiver.ts';
import type { Run } from './fixtures.ts';

/** Where what a request does can be seen. */
interface Scene {
  readonly connection: Connection;
  readonly receiver: Pick<Receiver, 'webhooks'>;
  readonly providers: Pick<ProviderServer, 'done'>;
}

/** One thing that was done, such as `webhook operation_created`, and the state that it came to. */
interface Effect {
  readonly what: string;
  readonly state: string;
}

type Effects = ReadonlyMap<string, readonly Effect[]>;
type Fields = Readonly<Record<string, unknown>>;

/** Longer than a run. */
const SHORT_LIFE_MS = 3_600_000;

/** Records that have a reference of the partner's, by the fields that it may stand in. */
const RECORDS: Readonly<Record<string, readonly string[]>> = {
  moneyRequests: ['referenceId'],
  operations: ['operationId', 'requestReferenceId'],
  operationHistory: ['operationId'],
  remittances: ['correlationId'],
  links: ['referenceId'],
};

/**
 * Compares what the runs of each case have done with what its first run did: each that passed as much, each that was broken
 * off no more. Webhooks count once for each delivery, because a worker that was killed may post one again.
 * @returns a line for each run that differs
 */
export async function judgeRuns(scene: Scene, runs: readonly Run[]): Promise<string[]> {
  const effects = await readEffects(scene);
  return [...new Set(runs.map(({ name }) => name))].flatMap((name) => {
    const own = runs.filter((run) => run.name === name);
    const [first, ...others] = own.filter(({ outcome }) => outcome === 'passed');
    if (!first) {
      return [];
    }
    const whole = effectsOf(first, effects);
    const brokenOff = own.filter(({ outcome }) => outcome === 'repeated');
    return [
      ...others.flatMap((run) => differences(effectsOf(run, effects), whole)),
      ...brokenOff.flatMap((run) => surplus(effectsOf(run, effects), whole)),
    ].map((difference) => `${name}: ${difference}`);
  });
}

/** The run's actions, for each of its references in turn. */
function effectsOf({ references }: Run, effects: Effects): Effect[] {
  return references.flatMap((reference, index) =>
    (effects.get(reference) ?? []).map(({ what, state }) => ({ what: `${index + 1}: ${what}`, state })),
  );
}

function differences(seen: readonly Effect[], whole: readonly Effect[]): string[] {
  const inWords = (effects: readonly Effect[]) =>
    effects.map(({ what, state }) => `${what} ${state}`).toSorted();
  const [is, should] = [inWords(seen), inWords(whole)];
  return is.join() === should.join()
    ? []
    : [`has done ${is.join(', ')}, but its first run ${should.join(', ')}`];
}

function surplus(seen: readonly Effect[], whole: readonly Effect[]): string[] {
  const count = (effects: readonly Effect[], what: string) =>
    effects.filter((one) => one.what === what).length;
  return [...new Set(seen.map(({ what }) => what))]
    .filter((what) => count(seen, what) > count(whole, what))
    .map(
      (what) =>
        `a run that was broken off has done "${what}" ${count(seen, what)} times, a whole one ${count(whole, what)}`,
    );
}

/** Everything that was done, by the reference that it was done for. */
async function readEffects({ connection, receiver, providers }: Scene): Promise<Effects> {
  const effects = new Map<string, Effect[]>();
  const add = (reference: string, what: string, state = '') =>
    effects.set(reference, [...(effects.get(reference) ?? []), { what, state }]);
  const referenceOf = new Map<string, string>();
  for (const [collection, fields] of Object.entries(RECORDS)) {
    for (const document of await connection.collection(collection).find().toArray()) {
      const reference = fields
        .map((field) => (document as Fields)[field])
        .find((value) => value !== undefined);
      if (reference !== undefined) {
        referenceOf.set(String(document._id), String(reference));
        add(String(reference), collection, String(document.status));
      }
    }
  }
  for (const { entityId, type, version } of await connection.collection('events').find().toArray()) {
    add(referenceOf.get(String(entityId)) ?? String(entityId), `event ${type}`, String(version));
  }
  for (const { service, key } of providers.done) {
    add(String(key.split(':')[1]), `done by ${service}`);
  }
  for (const [reference, what] of deliveriesIn(receiver)) {
    add(reference, what);
  }
  for (const reference of await readShortLived(connection)) {
    effects.delete(reference);
  }
  return effects;
}

/** References of money requests that end by themselves within minutes: what has happened to them depends on when one looks. */
async function readShortLived(connection: Connection): Promise<string[]> {
  const all = await connection.collection('moneyRequests').find().toArray();
  const lifeMs = ({ createdAt, expiresAt }: Fields) => Number(expiresAt) - Number(createdAt);
  return all.filter((one) => lifeMs(one) < SHORT_LIFE_MS).map(({ referenceId }) => String(referenceId));
}

/** Deliveries by the reference that each reports; those that came again are left out. */
function deliveriesIn({ webhooks }: Scene['receiver']): [reference: string, what: string][] {
  const seen = new Set<string | undefined>();
  return webhooks.flatMap((webhook): [string, string][] => {
    const id = headerOf(webhook, 'X-Webhook-Delivery-Id');
    const reference = /"(?:referenceId|correlationId)":"([^"]+)"/.exec(webhook.text)?.[1];
    if (seen.has(id) || reference === undefined) {
      return [];
    }
    seen.add(id);
    const event = headerOf(webhook, 'X-Webhook-Event') ?? headerOf(webhook, 'X-RAAS-Event') ?? 'outcome';
    return [[reference, `webhook ${webhook.path} ${event}`]];
  });
}
