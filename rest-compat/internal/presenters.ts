import { presentFailures, presentInternalError } from '../request-money/errors.ts';
import { inPascalCase } from '../shared/enum-names.ts';
import type { Outcome, Payload } from '../shared/outcome.ts';
import { omitAbsent, type RestResponse } from '../shared/reply.ts';

/** What `updateOperationStatus.graphql` selects. */
export interface MovedPayload extends Payload {
  operation: { id: string; status: string; statusDetails: string; updatedAt: string };
}

/** An operation's status as it stands; errors in document 2's shapes (decisions, section 3). */
export function presentMoved(outcome: Outcome<MovedPayload>): RestResponse {
  return present(outcome, 200, statusOf);
}

/** What `openLink.graphql` selects. */
export interface OpenedPayload extends Payload {
  link: { id: string; status: string; openedAt: string };
}

/** A link that its user opened (decisions, section 4, "Internal"). */
export function presentOpened(outcome: Outcome<OpenedPayload>): RestResponse {
  return present(outcome, 200, ({ link: { id, status, openedAt } }) => ({
    linkId: id,
    status: status.toLowerCase(),
    openedAt,
  }));
}

/** What `updateUserCip.graphql` selects. */
export interface IdentityPayload extends Payload {
  identity: {
    userId: string;
    cipStatus: string;
    cipProvider: string | null;
    cipVerifiedAt: string | null;
    cipResult: unknown;
  };
}

/** What is known of a user's identity. */
export function presentIdentity(outcome: Outcome<IdentityPayload>): RestResponse {
  return present(outcome, 200, ({ identity: { userId, cipStatus, cipProvider, cipVerifiedAt, cipResult } }) =>
    omitAbsent({ userId, cipStatus, cipProvider, cipVerifiedAt, cipResult }),
  );
}

/** What `raiseDataRequest.graphql` selects. */
export interface RaisedPayload extends Payload {
  dataRequest: { id: string };
}

/** A data request, raised. */
export function presentRaised(outcome: Outcome<RaisedPayload>): RestResponse {
  return present(outcome, 201, ({ dataRequest }) => ({ dataRequestId: dataRequest.id }));
}

function present<T>(outcome: Outcome<T>, status: number, toBody: (data: T) => unknown): RestResponse {
  switch (outcome.kind) {
    case 'data':
      return { status, body: toBody(outcome.data) };
    case 'refused':
      return presentFailures(outcome.failures, 'internal');
    case 'fault':
      return presentInternalError();
  }
}

function statusOf({ operation: { id, status, statusDetails, updatedAt } }: MovedPayload) {
  return { operationId: id, status: inPascalCase(status), statusDetails, updatedAt };
}
