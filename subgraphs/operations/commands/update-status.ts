import { z } from 'zod';
import { type Result, succeed } from '../../kernel/errors/result.ts';
import { readBody } from '../../kernel/json/read-body.ts';
import {
  bodyError,
  environment,
  providerText,
  rejectLosslessNumber,
  text,
} from '../../kernel/json/schemas.ts';
import type { NamedPartner } from '../../partners/tenants/find-meant.ts';
import { OPERATION_STATUSES } from '../lifecycle.ts';

const CHANGE = {
  status: z.enum(OPERATION_STATUSES, `must be one of ${OPERATION_STATUSES.join(', ')}`),
  statusDetails: providerText.optional().describe('By default RequestSent for Sent, else the status itself.'),
  failureReason: providerText.optional().describe('Kept with Failed, Rejected and Cancelled.'),
};

/** The body of a status update (decisions, section 4, "Internal"). */
export const updateSchema = rejectLosslessNumber(
  z.object({ partnerId: text, environment: environment.optional(), ...CHANGE }, bodyError),
);

/** The body of a simulated status update: that of a real one, for the caller's own operation (decisions, section 8). */
export const simulatedUpdateSchema = rejectLosslessNumber(z.object(CHANGE, bodyError));

/** A status update of an operation of any tenant; `partnerId` is the tenant's id. */
export type StatusUpdate = z.output<typeof updateSchema>;

/** Reads the JSON value of a body. Failure: VALIDATION_FAILED, once for each issue, as the 422 of document 2. */
export function readStatusUpdate(body: unknown): Result<StatusUpdate> {
  return readBody(updateSchema, body, 'VALIDATION_FAILED');
}

/** Reads the JSON value of a simulation's body, which does not name the partner. */
export function readSimulatedUpdate(body: unknown, of: NamedPartner): Result<StatusUpdate> {
  const read = readBody(simulatedUpdateSchema, body, 'VALIDATION_FAILED');
  return read.ok ? succeed({ ...read.value, ...of }) : read;
}
