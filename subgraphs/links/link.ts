import type { AccountId } from '../kernel/account.ts';
import type { CipState } from '../users/index.ts';
import type { Attached } from './attached.ts';
import type { LinkStatus, LinkVisibility } from './lifecycle.ts';
import type { UserData, UserDataField } from './user-data.ts';

/** The actions that a link allows its user (decisions, section 4). */
export const LINK_FLOWS = ['cip', 'transfer', 'request_money'] as const;
export type LinkFlow = (typeof LINK_FLOWS)[number];

/** A one-time widget link of a user, unsealed. */
export interface Link {
  linkId: string;
  accountId: AccountId;
  /** The partner's own id of the user. */
  referenceId: string;
  userId: string;
  flow: LinkFlow;
  status: LinkStatus;
  /** As of the last check of the clock; see lifecycle.ts. */
  visibility: LinkVisibility;
  /** The number of changes; each has an activity with this number, and 1 is the creation. */
  version: number;
  url: string;
  userData: UserData;
  /** Whether there is a picture of the user's identity document. */
  hasImage: boolean;
  attached: Attached;
  /** The operation that the user began from this link, once there is one. */
  operationId?: string;
  expiresAt: Date;
  openedAt?: Date;
  revokedAt?: Date;
  createdAt: Date;
  updatedAt: Date;
}

/** An identity check that a partner requested, and its link. */
export interface CipTicket {
  ticketId: string;
  /** The page where the user completes it. */
  widgetUrl: string;
  createdAt: Date;
  link: Link;
}

export const DATA_REQUEST_STATUSES = ['open', 'fulfilled'] as const;
export type DataRequestStatus = (typeof DATA_REQUEST_STATUSES)[number];

/** A request for more data of a link's user, which the partner answers. */
export interface DataRequest {
  dataRequestId: string;
  linkId: string;
  referenceId: string;
  fields: UserDataField[];
  status: DataRequestStatus;
  fulfilledAt?: Date;
  createdAt: Date;
}

/** A user and the state of the identity check. */
export interface CheckedUser {
  userId: string;
  state: CipState;
}
