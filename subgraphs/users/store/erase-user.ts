import type { Connection } from 'mongoose';
import { type ErasedUser, type ErasureSource, eraseInParts } from '../../graph/erasure.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { changeEach } from '../../kernel/database/change-each.ts';
import { personContext } from './contact-repository.ts';
import { erasedKey } from './keys.ts';
import { createUsersModels } from './model.ts';

/** Erases the people and accounts of a user: contacts and payout methods. The user itself is erased by the mark. */
export function createOwnedErasure({
  connection,
  box,
}: {
  readonly connection: Connection;
  readonly box: Box;
}): ErasureSource {
  const { contacts, paymentMethods } = createUsersModels(connection);
  return {
    hasOpen: async () => false,
    erase: async ({ accountId, userId }: ErasedUser, signal) => {
      const people = await contacts.find({ accountId, userId }).select({ _id: 1 }).lean();
      await eraseInParts(people, signal, (part) =>
        changeEach(
          contacts,
          part.map(({ _id }) => ({
            filter: { _id, accountId, userId },
            update: {
              $set: {
                phoneKey: erasedKey(_id),
                person: box.seal(JSON.stringify({ phoneNumber: '' }), personContext(accountId, _id)),
              },
              $unset: { emailKey: 1 },
            },
          })),
        ),
      );
      const methods = await paymentMethods.find({ accountId, userId }).select({ _id: 1 }).lean();
      await eraseInParts(methods, signal, (part) =>
        changeEach(
          paymentMethods,
          part.map(({ _id }) => ({
            filter: { _id, accountId, userId },
            update: { $set: { fingerprint: erasedKey(_id) }, $unset: { number: 1 } },
          })),
        ),
      );
    },
  };
}
