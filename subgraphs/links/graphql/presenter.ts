import { missingFields, type PersonName as StoredName } from '../commands/user-data.ts';
import type { Link as StoredLink } from '../store/link-repository.ts';
import type { CipTicket as StoredTicket } from '../use-cases/create-cip-ticket.ts';
import type { DataRequest as StoredRequest } from '../use-cases/raise-data-request.ts';
import type { CheckedUser } from '../use-cases/record-identity-check.ts';
import type { Link, LinkFlow, LinkStatus, LinkUserData, Operation, PersonName } from './link.type.ts';
import type { CipTicket, DataRequest, DataRequestStatus, UserIdentity } from './payloads.ts';

const SHOWN_DIGITS = 4;

/** The GraphQL shape of a link. */
export type PresentLink = (link: StoredLink) => Link;

/** @param publicUrl address under which clients reach the REST surface */
export function createLinkPresenter(publicUrl: string): PresentLink {
  return (link) => {
    const missing = missingFields(link.userData);
    const shown: Link = {
      id: link.linkId,
      referenceId: link.referenceId,
      flow: link.flow as LinkFlow,
      status: link.status as LinkStatus,
      url: link.url,
      expiresAt: link.expiresAt,
      createdAt: link.createdAt,
      openedAt: link.openedAt ?? null,
      revokedAt: link.revokedAt ?? null,
      metadata: link.metadata ?? null,
      userData: presentUserData(link, publicUrl),
      readiness: { ready: missing.length === 0, missing },
      user: { id: link.userId },
      operation: null,
    };
    return link.operationId === undefined ? shown : withOperation(shown, link.operationId);
  };
}

/** A link's operation has that link: nobody needs to look for it. */
function withOperation(link: Link, operationId: string): Link {
  const operation: Operation = { id: operationId, link };
  return Object.assign(link, { operation });
}

function presentUserData({ linkId, userData, hasImage }: StoredLink, publicUrl: string): LinkUserData {
  const { name, idType, idNumber, dob, paymentMethod } = userData;
  return {
    name: name ? presentName(name) : null,
    idType: idType ?? null,
    idNumber: idNumber === undefined ? null : maskNumber(idNumber),
    dob: dob ?? null,
    paymentMethod: paymentMethod ?? null,
    idImageUrl: hasImage ? `${publicUrl}/partner/links/${linkId}/id-image` : null,
  };
}

function presentName({ firstName, secondName, lastName, secondLastName }: StoredName): PersonName {
  return {
    firstName,
    secondName: secondName ?? null,
    lastName,
    secondLastName: secondLastName ?? null,
  };
}

/** `****` and the last four characters; of four and fewer none is shown, for it would show them all. */
export function maskNumber(number: string): string {
  const characters = [...number];
  return characters.length > SHOWN_DIGITS ? `****${characters.slice(-SHOWN_DIGITS).join('')}` : '****';
}

export function presentTicket(ticket: StoredTicket, present: PresentLink): CipTicket {
  const { ticketId, widgetUrl, createdAt, link } = ticket;
  return { id: ticketId, widgetUrl, referenceId: link.referenceId, createdAt, link: present(link) };
}

export function presentDataRequest(request: StoredRequest): DataRequest {
  const { dataRequestId, status, fulfilledAt, ...rest } = request;
  return {
    ...rest,
    id: dataRequestId,
    status: status as DataRequestStatus,
    fulfilledAt: fulfilledAt ?? null,
  };
}

export function presentIdentity({ userId, state }: CheckedUser): UserIdentity {
  return {
    userId,
    cipStatus: state.cipStatus,
    cipProvider: state.cipProvider ?? null,
    cipVerifiedAt: state.cipVerifiedAt ?? null,
    cipResult: state.cipResult ?? null,
  };
}
