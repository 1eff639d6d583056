import type { Connection } from 'mongoose';
import { type ErasureSource, eraseInParts } from '../../graph/erasure.ts';
import { changeEach } from '../../kernel/database/change-each.ts';
import { CATALOGUE, type ErrorCode } from '../../kernel/errors/catalogue.ts';
import { eraseWithdrawal } from '../../providers/erase-withdrawal.ts';
import { mayBeHeld } from '../../providers/withdrawal.ts';
import type { DeliveryErasure } from '../../webhooks/erase-deliveries.ts';
import { createRemittanceModel, type RemittanceDocument } from './model.ts';

const FIELDS = {
  correlationId: 1,
  lastError: 1,
  failures: 1,
  withdrawal: 1,
  createdAt: 1,
  updatedAt: 1,
} as const;
type Stored = Pick<RemittanceDocument, '_id' | keyof typeof FIELDS>;
type Marks = Pick<
  RemittanceDocument,
  'status' | 'isOpen' | 'payerMayHaveBeenAsked' | 'isAsking' | 'withdrawal'
>;

/** Erases the calls that a user's remittances were made from, and the words of providers about them. */
export function createRemittanceErasure({
  connection,
  webhooks,
}: {
  readonly connection: Connection;
  readonly webhooks: DeliveryErasure;
}): ErasureSource {
  const model = createRemittanceModel(connection);
  return {
    hasOpen: async ({ accountId, userId }, _at, unit) => {
      const found = await model
        .find({ accountId, userId, status: { $in: ['IN_PROGRESS', 'FAILED'] } })
        .select(['status', 'isOpen', 'payerMayHaveBeenAsked', 'isAsking', 'withdrawal'])
        .session(unit.session)
        .lean<Marks[]>();
      return found.some(
        (remittance) =>
          remittance.status === 'IN_PROGRESS' || remittance.isOpen === true || mayBeHeld(remittance),
      );
    },
    erase: async ({ accountId, userId }, signal) => {
      const found = await model.find({ accountId, userId }, FIELDS).lean<Stored[]>();
      await eraseInParts(found, signal, async (part) => {
        const ids = part.map(({ correlationId }) => correlationId);
        const times = part.flatMap(({ createdAt, updatedAt }) => [createdAt, updatedAt]);
        await webhooks.eraseAbout({ accountId, entity: 'remittance', ids, times });
        await changeEach(
          model,
          part.map((remittance) => ({
            filter: { _id: remittance._id, accountId },
            update: { ...withoutWords(remittance), $unset: { private: 1, payerKey: 1 } },
          })),
        );
      });
    },
  };
}

/** Gives the errors of a remittance the texts of the catalogue. */
function withoutWords({ lastError, failures, withdrawal }: Stored): { $set?: Partial<RemittanceDocument> } {
  const $set = {
    ...(lastError && { lastError: withoutWordsOf(lastError) }),
    ...(failures && { failures: failures.map(withoutWordsOf) }),
    ...(withdrawal && { withdrawal: eraseWithdrawal(withdrawal) }),
  };
  return Object.keys($set).length === 0 ? {} : { $set };
}

function withoutWordsOf<Error extends { readonly code: ErrorCode }>(error: Error): Error {
  return { ...error, message: CATALOGUE[error.code].message };
}
