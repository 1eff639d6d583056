import type { AccountId } from '../../kernel/account.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { type Failure, fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { invalid, issue, shortPath } from '../../kernel/json/read-body.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { FulfilDataRequest } from '../commands/link-commands.ts';
import type { LinksDeps } from '../deps.ts';
import type { DataRequest } from '../link.ts';
import { type DataRequestDocument, toDataRequest } from '../store/model.ts';
import { type GivenUserData, toProfile, type UserDataField } from '../user-data.ts';
import { recordChange } from './record-change.ts';

/**
 * Answers a data request: what was requested is merged into the link's user data, each field as a whole, and into the
 * user's profile where that has none yet. Part of what was requested is enough. Fails with DATA_REQUEST_NOT_FOUND,
 * DATA_REQUEST_ALREADY_FULFILLED, REFERENCE_MISMATCH, INVALID_REQUEST for what was not requested, USER_ERASED; the first
 * one counts.
 */
export async function fulfilDataRequest(
  deps: LinksDeps,
  { accountId }: Principal,
  dataRequestId: string,
  answer: FulfilDataRequest,
): Promise<Result<DataRequest>> {
  const fulfilled = await deps.transaction((unit) =>
    fulfilWithin(deps, { accountId, dataRequestId }, answer, unit),
  );
  return fulfilled;
}

async function fulfilWithin(
  deps: LinksDeps,
  { accountId, dataRequestId }: { accountId: AccountId; dataRequestId: string },
  answer: FulfilDataRequest,
  unit: UnitOfWork,
): Promise<Result<DataRequest>> {
  const request = await deps.dataRequests
    .findOne({ _id: dataRequestId, accountId })
    .session(unit.session)
    .lean();
  if (!request) {
    return fail('DATA_REQUEST_NOT_FOUND');
  }
  if (request.status === 'fulfilled') {
    return fail('DATA_REQUEST_ALREADY_FULFILLED');
  }
  if (request.referenceId !== answer.referenceId) {
    return fail('REFERENCE_MISMATCH', undefined, ['referenceId']);
  }
  const issues = issuesOf(request.fields, answer.fields);
  if (issues.length > 0) {
    return invalid(issues);
  }
  return merge(deps, request, answer.userData, unit);
}

function issuesOf(requested: readonly UserDataField[], given: readonly string[]): Failure[] {
  if (given.length === 0) {
    return [issue(['userData'], `must have one of ${requested.join(', ')} at least`)];
  }
  return given
    .filter((field) => !requested.some((one) => one === field))
    .map((field) => issue(shortPath(['userData', field]), 'was not requested'));
}

async function merge(
  deps: LinksDeps,
  request: DataRequestDocument,
  { data, image }: GivenUserData,
  unit: UnitOfWork,
): Promise<Result<DataRequest>> {
  const { _id: dataRequestId, accountId, linkId } = request;
  const link = await deps.links.find({ accountId, linkId }, unit);
  if (!link) {
    throw new Error(`The link of data request ${dataRequestId} is gone`);
  }
  if ((await deps.users.accountState(accountId, link.userId, unit))?.isErased) {
    return fail('USER_ERASED');
  }
  const fulfilledAt = deps.accountClock(accountId);
  const { matchedCount } = await deps.dataRequests.updateOne(
    { _id: dataRequestId, accountId, status: 'open' },
    { $set: { status: 'fulfilled', fulfilledAt } },
    { session: unit.session },
  );
  if (matchedCount !== 1) {
    throw new Error(`Data request ${dataRequestId} changed within the transaction that read it`);
  }
  const fields = [...Object.keys(data), ...(image ? ['idImage'] : [])];
  const changes = {
    userData: { ...link.userData, ...data },
    ...(image ? { hasImage: true } : {}),
  };
  const activityInput = {
    type: 'data_request.fulfilled',
    actor: 'partner',
    data: { dataRequestId, fields },
    since: request.createdAt,
  } as const;
  await recordChange(deps, { link, changes, activityInput, at: fulfilledAt }, unit);
  // After the link: two answers at once conflict there, and one runs again. Here both would insert the first picture of
  // the link, and one would fail.
  if (image) {
    await deps.images.keep(accountId, linkId, image, unit);
  }
  const profile = toProfile(data);
  if (Object.keys(profile).length > 0) {
    await deps.users.completeProfile({ accountId, userId: link.userId, profile, at: fulfilledAt }, unit);
  }
  return succeed(toDataRequest({ ...request, status: 'fulfilled', fulfilledAt }));
}
