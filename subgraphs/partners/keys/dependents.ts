import type { Model } from 'mongoose';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { ApiKeyDocument } from './model.ts';
import { hasEnded } from './record.ts';

/** The keys that a new key ends with, and the first end that is known of them. */
interface Ends {
  readonly endsWith: readonly string[];
  readonly endsAt?: Date;
  /** The console sessions that a new key comes from. */
  readonly madeIn: readonly string[];
}

/**
 * The key that a new key of the caller ends with: in a console session, with the key that the session was made from and with all
 * that this key ends with; made by a key, with what that key ends with. So nothing that a session makes outlives the key of the
 * session, however many keys are between them. Undefined: the caller makes no keys, because its own has ended, or because no
 * key ends its session.
 */
export async function findEnds(
  model: Model<ApiKeyDocument>,
  { accountId, keyId, consoleSession }: Principal,
  now: Date,
): Promise<Ends | undefined> {
  const maker = await model.findOne({ _id: keyId, accountId }).lean();
  if (!maker || hasEnded(maker, now)) {
    return undefined;
  }
  const endsWith = [...(maker.endsWith ?? []), ...(consoleSession ? [keyId] : [])];
  const madeIn = [...(maker.madeIn ?? []), ...(consoleSession ? [consoleSession.sessionId] : [])];
  return { endsWith, madeIn, ...(maker.endsAt && endsWith.length > 0 && { endsAt: maker.endsAt }) };
}

/** Thrown within a transaction: a key that a new key would end with has ended meanwhile, or ends soon. */
export class MakerEnds extends Error {}

/**
 * Inserts a key in a transaction that conflicts with the end of each key that it ends with: either that end comes first, and
 * nothing is made, or the key is there and ends with it.
 * @throws MakerEnds at the end of the transaction
 */
export function insertKey(
  unit: Pick<UnitOfWork, 'insert' | 'update'>,
  model: Model<ApiKeyDocument>,
  document: ApiKeyDocument,
): void {
  const { accountId, endsWith = [], endsAt } = document;
  const endless = { endsAt: { $exists: false } };
  const noEarlierEnd = endsAt ? { $or: [endless, { endsAt: { $gte: endsAt } }] } : endless;
  for (const _id of endsWith) {
    unit.update(model, {
      filter: { _id, accountId, revokedAt: { $exists: false }, ...noEarlierEnd },
      update: { $inc: { dependents: 1 } },
      otherwise: () => new MakerEnds(),
    });
  }
  unit.insert(model, [document]);
}

/**
 * Ends a key, and with it all keys that end with it: both happen, or nothing does. A key that has ended, or ends earlier, stays
 * as it is.
 */
export async function endDependents(
  unit: Pick<UnitOfWork, 'session' | 'update'>,
  model: Model<ApiKeyDocument>,
  keyId: string,
  end: { readonly revokedAt: Date } | { readonly endsAt: Date },
): Promise<void> {
  const dependents = await model
    .find({ endsWith: keyId, revokedAt: { $exists: false } })
    .select({ _id: 1 })
    .session(unit.session)
    .lean();
  const update = 'revokedAt' in end ? { $set: end } : { $min: end };
  for (const { _id } of dependents) {
    unit.update(model, { filter: { _id, revokedAt: { $exists: false } }, update });
  }
}
