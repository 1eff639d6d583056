import type { Outcome, Payload } from '../outcome.ts';
import { inPascalCase } from '../remittance/records.ts';
import type { RestResponse } from '../reply.ts';
import { presentFault, presentRefusals } from '../request-money/errors.ts';

/** What `updateOperationStatus.graphql` selects. */
export interface MovedPayload extends Payload {
  operation: { id: string; status: string; statusDetails: string; updatedAt: string };
}

/** An operation's status as it stands; errors in document 2's shapes (decisions, section 3). */
export function presentMoved(outcome: Outcome<MovedPayload>): RestResponse {
  switch (outcome.kind) {
    case 'data':
      return { status: 200, body: statusOf(outcome.data) };
    case 'refused':
      return presentRefusals(outcome.refusals);
    case 'fault':
      return presentFault();
  }
}

function statusOf({ operation: { id, status, statusDetails, updatedAt } }: MovedPayload) {
  return { operationId: id, status: inPascalCase(status), statusDetails, updatedAt };
}
