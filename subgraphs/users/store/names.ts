import type { Model } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { nameWords } from '../../kernel/person/name-words.ts';
import type { UserProfile } from '../user.ts';
import type { Keys } from './keys.ts';
import type { UserDocument } from './model.ts';

/** Most users with a word of a name that are looked at for the other words. */
const MOST_NAMESAKES = 10_000;

/** `UserRepository.findByName` */
export async function findByName(
  { model, keys }: { readonly model: Model<UserDocument>; readonly keys: Pick<Keys, 'names'> },
  accountId: AccountId,
  words: readonly string[],
  most: number,
): Promise<string[]> {
  const longestFirst = words.toSorted((one, other) => other.length - one.length);
  const [longest, ...others] = keys.names(accountId, longestFirst);
  if (longest === undefined) {
    return [];
  }
  const found = await model.aggregate<{ readonly _id: string }>([
    { $match: { accountId, nameKeys: longest } },
    { $sort: { createdAt: -1, _id: -1 } },
    ...(others.length === 0 ? [] : [{ $limit: MOST_NAMESAKES }, { $match: { nameKeys: { $all: others } } }]),
    { $limit: most },
    { $project: { _id: 1 } },
  ]);
  return found.map(({ _id }) => _id);
}

/** The digests of a profile's names; undefined without names. */
export function nameKeysOf(
  keys: Pick<Keys, 'names'>,
  accountId: AccountId,
  { firstName, secondName, lastName, secondLastName }: UserProfile,
): Pick<UserDocument, 'nameKeys'> | { readonly nameKeys: undefined } {
  const names = [firstName, secondName, lastName, secondLastName].filter((name) => name !== undefined);
  const nameKeys = keys.names(accountId, nameWords(names));
  return { nameKeys: nameKeys.length === 0 ? undefined : nameKeys };
}
