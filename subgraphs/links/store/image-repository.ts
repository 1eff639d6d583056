import type { Model } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { IdImage } from '../user-data.ts';
import type { LinkImageDocument } from './model.ts';

/** Pictures of identity documents, one for a link; stored only sealed. */
export interface ImageRepository {
  find(accountId: AccountId, linkId: string): Promise<IdImage | undefined>;
  /** Stores an image in place of the former one. */
  keep(accountId: AccountId, linkId: string, image: IdImage, unit: UnitOfWork): Promise<void>;
}

export function createImageRepository({
  model,
  box,
}: {
  model: Model<LinkImageDocument>;
  box: Box;
}): ImageRepository {
  return {
    find: async (accountId, linkId) => {
      const found = await model.findOne({ _id: linkId, accountId }).lean();
      return found
        ? {
            contentType: found.contentType,
            bytes: box.open(toBuffer(found.bytes), contextOf(accountId, linkId)),
          }
        : undefined;
    },
    keep: async (accountId, linkId, { contentType, bytes }, unit) => {
      const image = { accountId, contentType, bytes: box.seal(bytes, contextOf(accountId, linkId)) };
      await model.replaceOne({ _id: linkId, accountId }, image, { upsert: true, session: unit.session });
    },
  };
}

function contextOf(accountId: AccountId, linkId: string): string {
  return `${accountId}|idImage|${linkId}`;
}
