import type { Connection } from 'mongoose';
import { type ErasureSource, eraseInParts } from '../../graph/erasure.ts';
import type { AccountId } from '../../kernel/account.ts';
import { changeEach } from '../../kernel/database/change-each.ts';
import { removeEach } from '../../kernel/database/remove-expired.ts';
import { recordOf } from '../../kernel/objects.ts';
import { ATTACHED_FIELDS } from '../attached.ts';
import { usabilityOf } from '../lifecycle.ts';
import { createLinkModels, type LinkModels } from './model.ts';

/** Erases what a user's links say about the user, with what the partner attached to them, and the pictures of identity documents. */
export function createLinkErasure(connection: Connection): ErasureSource {
  const models = createLinkModels(connection);
  const { links } = models;
  return {
    hasOpen: async ({ accountId, userId }, at, unit) => {
      const found = await links
        .find({ accountId, userId, visibility: 'active', expiresAt: { $gt: at } })
        .select(['status', 'expiresAt'])
        .session(unit.session)
        .lean();
      return found.some((link) => usabilityOf(link, at) === 'usable');
    },
    erase: async ({ accountId, userId }, signal) => {
      const found = await links.find({ accountId, userId }).select({ _id: 1 }).lean();
      await eraseInParts(found, signal, (part) =>
        erasePart(
          models,
          accountId,
          part.map(({ _id }) => _id),
        ),
      );
    },
  };
}

async function erasePart(
  { links, images, activities }: LinkModels,
  accountId: AccountId,
  ids: readonly string[],
): Promise<void> {
  // The links first: an answer to a data request at the same moment conflicts there, and finds an erased user when it runs again.
  await changeEach(
    links,
    ids.map((_id) => ({
      filter: { _id, accountId },
      update: {
        $set: { hasImage: false },
        $unset: recordOf(['userData', ...ATTACHED_FIELDS], () => 1 as const),
      },
    })),
  );
  await removeEach(
    images,
    ids.map((_id) => ({ _id, accountId })),
  );
  const failed = await activities
    .find({ accountId, linkId: { $in: ids }, error: { $exists: true } })
    .select({ linkId: 1 })
    .lean();
  await changeEach(
    activities,
    failed.map(({ _id, linkId }) => ({
      filter: { _id, accountId, linkId },
      update: { $unset: { error: 1 } },
    })),
  );
}
