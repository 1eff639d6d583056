import type { Connection } from 'mongoose';
import {
  ERASED_TEXT,
  type ErasureSource,
  erasedDetails,
  eraseInParts,
  HAS_WRITTEN_DETAILS,
} from '../../graph/erasure.ts';
import type { AccountId } from '../../kernel/account.ts';
import { toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { changeEach } from '../../kernel/database/change-each.ts';
import { CATALOGUE } from '../../kernel/errors/catalogue.ts';
import type { Failure } from '../../kernel/errors/result.ts';
import { eraseWithdrawal } from '../../providers/erase-withdrawal.ts';
import { mayBeHeld } from '../../providers/withdrawal.ts';
import type { DeliveryErasure } from '../../webhooks/erase-deliveries.ts';
import { OPEN_STATUSES } from '../lifecycle.ts';
import {
  createOperationModels,
  type OperationDocument,
  type OperationModels,
  type ReservationDocument,
} from './model.ts';

interface Deps {
  readonly models: OperationModels;
  readonly box: Box;
  readonly webhooks: DeliveryErasure;
}

type Stored = Pick<OperationDocument, '_id' | 'operationId' | 'statusDetails'>;

/** Erases the texts of a user's operations, and the terms of the requests by v2. */
export function createOperationErasure({
  connection,
  ...dependencies
}: Omit<Deps, 'models'> & { readonly connection: Connection }): ErasureSource {
  const deps = { ...dependencies, models: createOperationModels(connection) };
  const { operations, reservations } = deps.models;
  return {
    hasOpen: async ({ accountId, userId }, _at, unit) => {
      const open = await operations
        .exists({ accountId, userId, status: { $in: OPEN_STATUSES } })
        .session(unit.session);
      if (open !== null) {
        return true;
      }
      const requests = await reservations
        .find({ accountId, userId, status: { $in: ['IN_PROGRESS', 'FAILED'] } })
        .select(['isOpen', 'payerMayHaveBeenAsked', 'isAsking', 'withdrawal'])
        .session(unit.session)
        .lean<Pick<ReservationDocument, 'isOpen' | 'payerMayHaveBeenAsked' | 'isAsking' | 'withdrawal'>[]>();
      // One that no payer was asked for, and whose caller does not come back, would stay in progress for ever.
      return requests.some((request) => request.isOpen === true || mayBeHeld(request));
    },
    erase: async ({ accountId, userId }, signal) => {
      const found = await operations
        .find({ accountId, userId })
        .select(['operationId', 'statusDetails'])
        .lean<Stored[]>();
      await eraseInParts(found, signal, (part) => eraseOperations(deps, accountId, part));
      const requests = await reservations.find({ accountId, userId }).lean<ReservationDocument[]>();
      await eraseInParts(requests, signal, (part) => eraseReservations(deps, accountId, part));
    },
  };
}

async function eraseOperations(
  { models: { operations, history }, webhooks }: Deps,
  accountId: AccountId,
  part: readonly Stored[],
): Promise<void> {
  const ids = part.map(({ operationId }) => operationId);
  await webhooks.eraseAbout({ accountId, entity: 'operation', ids });
  const moves = await history
    .find({ accountId, operationId: { $in: ids }, ...HAS_WRITTEN_DETAILS })
    .select(['operationId', 'statusDetails'])
    .lean();
  await changeEach(
    history,
    moves.map(({ _id, operationId, statusDetails }) => ({
      filter: { _id, accountId, operationId },
      update: { $set: { statusDetails: erasedDetails(statusDetails) } },
    })),
  );
  await changeEach(
    operations,
    part.map(({ _id, operationId, statusDetails }) => ({
      filter: { _id, accountId, operationId },
      update: {
        $set: { statusDetails: erasedDetails(statusDetails) },
        $unset: { reason: 1, failureReason: 1 },
      },
    })),
  );
}

/** The digests go too: they are made from the payer's phone number, or the text that names the payer. */
async function eraseReservations(
  { models: { reservations }, box }: Deps,
  accountId: AccountId,
  part: readonly ReservationDocument[],
): Promise<void> {
  await changeEach(
    reservations,
    part.map((reservation) => {
      const { _id, failures, withdrawal } = reservation;
      const refusal = eraseRefusal(box, reservation);
      return {
        filter: { _id, accountId },
        update: {
          $set: {
            digest: ERASED_TEXT,
            sentDigest: ERASED_TEXT,
            ...(refusal && { refusal }),
            ...(failures && { failures: failures.map((failure) => ({ ...failure, message: ERASED_TEXT })) }),
            ...(withdrawal && { withdrawal: eraseWithdrawal(withdrawal) }),
          },
          $unset: { terms: 1, payerKey: 1 },
        },
      };
    }),
  );
}

/** Why a request has failed, without the words of its provider. */
function eraseRefusal(
  box: Box,
  { accountId, operationId, refusal }: ReservationDocument,
): Buffer | undefined {
  if (!refusal) {
    return undefined;
  }
  const context = `${accountId}|refusal|${operationId}`;
  const { code, path }: Failure = JSON.parse(box.open(toBuffer(refusal), context).toString());
  const { message } = CATALOGUE[code];
  return box.seal(JSON.stringify({ code, message, path }), context);
}
