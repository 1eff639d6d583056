import { isLosslessNumber } from 'lossless-json';
import { z } from 'zod';
import { ENVIRONMENTS, type Environment } from '../../kernel/account.ts';
import { type Result, succeed } from '../../kernel/errors/result.ts';
import { readBody } from '../../kernel/json/read-body.ts';
import {
  bodyError,
  environment,
  providerText,
  rejectLosslessNumber,
  text,
} from '../../kernel/json/schemas.ts';
import { toShortText } from '../../kernel/text.ts';
import type { NamedPartner } from '../../partners/tenants/find-meant.ts';
import { MONEY_REQUEST_STATUSES } from '../lifecycle.ts';

/** Events of a failed update cut the reference to this length, the longest valid one. */
const LONGEST_REFERENCE = 255;

const CHANGE = {
  status: z.enum(MONEY_REQUEST_STATUSES, `must be one of ${MONEY_REQUEST_STATUSES.join(', ')}`),
  statusDetails: providerText.optional().describe("By default the status's own."),
};

/** The body of a status update. */
export const updateSchema = rejectLosslessNumber(
  z.object(
    {
      partnerId: text,
      environment: environment.optional(),
      referenceId: text,
      ...CHANGE,
      operationId: text.optional().describe('The fulfilling operation; generated when absent.'),
    },
    bodyError,
  ),
);

/** The body of a simulated status update, for the caller's own money request (decisions, section 8, "Simulation"). */
export const simulatedUpdateSchema = rejectLosslessNumber(z.object(CHANGE, bodyError));

/** A status update of decisions, section 3 (`PATCH /v1/internal/remittances/status`). */
export type StatusUpdate = z.output<typeof updateSchema>;

/** An update after it was read, valid or not: a known partner also gets events of failed updates. */
export interface ReadStatusUpdate {
  /** Failure: VALIDATION_FAILED, once for each issue. */
  readonly update: Result<StatusUpdate>;
  /** The body's partner; undefined without one. */
  readonly partnerId: string | undefined;
  /** The body's environment; undefined without a valid one. */
  readonly environment: Environment | undefined;
  /** The body's reference, cut to 255 characters; undefined without one. */
  readonly referenceId: string | undefined;
}

/** Reads the JSON value of a body. */
export function readStatusUpdate(body: unknown): ReadStatusUpdate {
  const referenceId = textOf(body, 'referenceId');
  const named = textOf(body, 'environment');
  return {
    update: readBody(updateSchema, body, 'VALIDATION_FAILED'),
    partnerId: textOf(body, 'partnerId'),
    environment: ENVIRONMENTS.find((one) => one === named),
    referenceId: referenceId === undefined ? undefined : toShortText(referenceId, LONGEST_REFERENCE),
  };
}

/** Reads the JSON value of a simulation's body, which does not name the money request. */
export function readSimulatedUpdate(
  body: unknown,
  referenceId: string,
  { partnerId, environment }: NamedPartner,
): ReadStatusUpdate {
  const read = readBody(simulatedUpdateSchema, body, 'VALIDATION_FAILED');
  return {
    update: read.ok ? succeed({ ...read.value, partnerId, referenceId }) : read,
    partnerId,
    environment,
    referenceId: toShortText(referenceId, LONGEST_REFERENCE),
  };
}

function textOf(body: unknown, name: string): string | undefined {
  if (typeof body !== 'object' || body === null || isLosslessNumber(body)) {
    return undefined;
  }
  const value: unknown = Object.entries(body).find(([key]) => key === name)?.[1];
  return typeof value === 'string' ? value : undefined;
}
