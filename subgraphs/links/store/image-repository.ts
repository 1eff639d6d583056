import type { Model } from 'mongoose';
import { toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { IdImage } from '../user-data.ts';
import type { LinkImageDocument } from './model.ts';

/** Pictures of identity documents, one for a link; stored only sealed. */
export interface ImageRepository {
  find(tenantId: string, linkId: string): Promise<IdImage | undefined>;
  /** Stores an image in place of the former one. */
  keep(tenantId: string, linkId: string, image: IdImage, unit: UnitOfWork): Promise<void>;
}

export function createImageRepository({
  model,
  box,
}: {
  model: Model<LinkImageDocument>;
  box: Box;
}): ImageRepository {
  return {
    find: async (tenantId, linkId) => {
      const found = await model.findOne({ _id: linkId, tenantId }).lean();
      return found
        ? {
            contentType: found.contentType,
            bytes: box.open(toBuffer(found.bytes), contextOf(tenantId, linkId)),
          }
        : undefined;
    },
    keep: async (tenantId, linkId, { contentType, bytes }, unit) => {
      const image = { tenantId, contentType, bytes: box.seal(bytes, contextOf(tenantId, linkId)) };
      await model.replaceOne({ _id: linkId, tenantId }, image, { upsert: true, session: unit.session });
    },
  };
}

function contextOf(tenantId: string, linkId: string): string {
  return `${tenantId}|idImage|${linkId}`;
}
