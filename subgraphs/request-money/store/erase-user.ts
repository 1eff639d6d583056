import type { Connection } from 'mongoose';
import { type ErasureSource, erasedDetails, eraseInParts } from '../../graph/erasure.ts';
import { recordName } from '../../graph/timeline.ts';
import type { AccountId } from '../../kernel/account.ts';
import { toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { changeEach } from '../../kernel/database/change-each.ts';
import { removeEach } from '../../kernel/database/remove-expired.ts';
import type { DeliveryErasure } from '../../webhooks/erase-deliveries.ts';
import { OPEN_STATUSES } from '../lifecycle.ts';
import {
  createMoneyRequestModels,
  type IdempotencyDocument,
  type MoneyRequestDocument,
  type MoneyRequestModels,
  type MoneyRequestPrivate,
} from './model.ts';

interface Deps {
  readonly models: MoneyRequestModels;
  readonly box: Box;
  readonly webhooks: DeliveryErasure;
}

const FIELDS = {
  accountId: 1,
  referenceId: 1,
  userReferenceId: 1,
  statusDetails: 1,
  resolved: 1,
  createdAt: 1,
  updatedAt: 1,
} as const;
type Stored = Pick<MoneyRequestDocument, '_id' | keyof typeof FIELDS>;

/** Erases the requesters of money requests, in the results kept for their idempotency keys and in their webhooks too. */
export function createMoneyRequestErasure({
  connection,
  ...dependencies
}: Omit<Deps, 'models'> & { readonly connection: Connection }): ErasureSource {
  const deps = { ...dependencies, models: createMoneyRequestModels(connection) };
  const { moneyRequests } = deps.models;
  return {
    hasOpen: async ({ accountId, userId }, _at, unit) =>
      (await moneyRequests
        .exists({ accountId, userId, status: { $in: OPEN_STATUSES } })
        .session(unit.session)) !== null,
    erase: async ({ accountId, userId }, signal) => {
      const found = await moneyRequests.find({ accountId, userId }, FIELDS).lean<Stored[]>();
      await eraseInParts(found, signal, (part) => erasePart(deps, accountId, part));
    },
  };
}

async function erasePart(deps: Deps, accountId: AccountId, part: readonly Stored[]): Promise<void> {
  const ids = part.map(({ referenceId }) => referenceId);
  await deps.webhooks.eraseAbout({
    accountId,
    entity: 'requestMoney',
    ids,
    about: ids.map((id) => recordName({ type: 'RequestMoney', id })),
    times: part.flatMap(({ createdAt, updatedAt }) => [createdAt, updatedAt]),
  });
  await removeResults(deps, accountId, part);
  await changeEach(
    deps.models.moneyRequests,
    part.map((moneyRequest) => ({
      filter: { _id: moneyRequest._id, accountId, referenceId: moneyRequest.referenceId },
      update: {
        $set: {
          private: sealErased(deps.box, moneyRequest),
          statusDetails: erasedDetails(moneyRequest.statusDetails),
        },
      },
    })),
  );
}

/** The personal part of an erased money request: nothing of it that the record does not say anyway. */
function sealErased(box: Box, { _id, accountId, userReferenceId, resolved }: Stored): Buffer {
  const erased: MoneyRequestPrivate = {
    requestData: {
      userReferenceId,
      name: { firstName: '', lastName: '' },
      address: { country: resolved.destinationCountry },
      payoutMethod: resolved.payoutType,
    },
    waLink: '',
  };
  return box.seal(JSON.stringify(erased), `${accountId}|private|${_id}`);
}

/** Removes the results that are kept for idempotency keys. They are stored with the money request, and have its time. */
async function removeResults(
  { models: { idempotency }, box }: Deps,
  accountId: AccountId,
  part: readonly Stored[],
): Promise<void> {
  const found = await idempotency
    .find({ createdAt: { $in: part.map(({ createdAt }) => createdAt) } }, { result: 1 })
    .lean<Pick<IdempotencyDocument, '_id' | 'result'>[]>();
  const requestIds = new Set(part.map(({ _id }) => _id));
  const own = found.filter(
    (kept) => kept._id.startsWith(`${accountId}|`) && requestIds.has(requestOf(box, kept)),
  );
  await removeEach(
    idempotency,
    own.map(({ _id }) => ({ _id })),
  );
}

function requestOf(box: Box, { _id, result }: Pick<IdempotencyDocument, '_id' | 'result'>): string {
  const end = _id.indexOf('|');
  const context = `${_id.slice(0, end)}|result|${_id.slice(end + 1)}`;
  return JSON.parse(box.open(toBuffer(result), context).toString()).moneyRequest.requestId;
}
