import {
  CipStatus,
  type OpenLinkMutation,
  type RaiseDataRequestMutation,
  type UpdateOperationStatusMutation,
  type UpdateUserCipMutation,
} from '../../schema/operations/types.ts';
import { shape } from '../../subgraphs/kernel/json/shape.ts';
import { OPERATION_STATUSES } from '../../subgraphs/operations/index.ts';
import { inLowerCase, inPascalCase } from '../shared/enum-names.ts';
import { text, time } from '../shared/openapi/document.ts';

type Operation = NonNullable<UpdateOperationStatusMutation['updateOperationStatusFromJson']['operation']>;
type Link = NonNullable<OpenLinkMutation['openLink']['link']>;
type Identity = NonNullable<UpdateUserCipMutation['updateCipFromJson']['identity']>;
type DataRequest = NonNullable<RaiseDataRequestMutation['raiseDataRequestFromJson']['dataRequest']>;

/** Decisions, section 3: the status of an operation. */
export const operationStatus = shape<Operation>({
  operationId: [text, ({ id }) => id],
  status: [{ ...text, enum: OPERATION_STATUSES }, ({ status }) => inPascalCase(status)],
  statusDetails: [text, ({ statusDetails }) => statusDetails],
  updatedAt: [time, ({ updatedAt }) => updatedAt],
});

/** Decisions, section 4, "Internal": a link that its user opened. */
export const openedLink = shape<Link>({
  linkId: [text, ({ id }) => id],
  status: [{ ...text, enum: ['opened'] }, ({ status }) => status.toLowerCase()],
  openedAt: [time, ({ openedAt }) => openedAt, 'nullable'],
});

/** Decisions, section 4, "Internal": the state of a user's identity check. */
export const userCip = shape<Identity>({
  userId: [text, ({ userId }) => userId],
  cipStatus: [{ ...text, enum: inLowerCase(CipStatus) }, ({ cipStatus }) => cipStatus],
  cipProvider: [text, ({ cipProvider }) => cipProvider, 'optional'],
  cipVerifiedAt: [time, ({ cipVerifiedAt }) => cipVerifiedAt, 'optional'],
  cipResult: [{ type: 'object' }, ({ cipResult }) => cipResult, 'optional'],
});

/** Decisions, section 4, "Internal": a request for more data of a user. */
export const raisedDataRequest = shape<DataRequest>({ dataRequestId: [text, ({ id }) => id] });
