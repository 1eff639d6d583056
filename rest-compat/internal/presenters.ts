import type {
  OpenLinkMutation,
  RaiseDataRequestMutation,
  UpdateOperationStatusMutation,
  UpdateUserCipMutation,
} from '../../schema/operations/types.ts';
import { inPascalCase } from '../shared/enum-names.ts';
import { omitAbsent } from '../shared/reply.ts';

type Operation = NonNullable<UpdateOperationStatusMutation['updateOperationStatusFromJson']['operation']>;
type Link = NonNullable<OpenLinkMutation['openLink']['link']>;
type Identity = NonNullable<UpdateUserCipMutation['updateCipFromJson']['identity']>;
type DataRequest = NonNullable<RaiseDataRequestMutation['raiseDataRequestFromJson']['dataRequest']>;

/** Decisions, section 3: the status of an operation. */
export function operationStatus({ id, status, statusDetails, updatedAt }: Operation) {
  return { operationId: id, status: inPascalCase(status), statusDetails, updatedAt };
}

/** Decisions, section 4, "Internal": a link that its user opened. */
export function openedLink({ id, status, openedAt }: Link) {
  return { linkId: id, status: status.toLowerCase(), openedAt };
}

/** Decisions, section 4, "Internal": the state of a user's identity check. */
export function userCip({ userId, cipStatus, cipProvider, cipVerifiedAt, cipResult }: Identity) {
  return omitAbsent({ userId, cipStatus, cipProvider, cipVerifiedAt, cipResult });
}

/** Decisions, section 4, "Internal": a request for more data of a user. */
export function raisedDataRequest({ id }: DataRequest) {
  return { dataRequestId: id };
}
