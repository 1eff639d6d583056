import { isLosslessNumber } from 'lossless-json';
import { z } from 'zod';
import type { Result } from '../../platform/errors/result.ts';
import { readBody } from '../../platform/json/read-body.ts';
import { bodyError, rejectLosslessNumber, text, toShortText } from '../../platform/json/schemas.ts';
import { MONEY_REQUEST_STATUSES } from '../lifecycle.ts';

/** What an event of a failed update says of a reference is cut to this, the most that a good one has. */
const LONGEST_REFERENCE = 255;

/** The body of a status update. */
export const updateSchema = rejectLosslessNumber(
  z.object(
    {
      partnerId: text,
      referenceId: text,
      status: z.enum(MONEY_REQUEST_STATUSES, `must be one of ${MONEY_REQUEST_STATUSES.join(', ')}`),
      statusDetails: text.optional().describe("By default the status's own."),
      operationId: text.optional().describe('The fulfilling operation; generated when absent.'),
    },
    bodyError,
  ),
);

/** A status update of decisions, section 3 (`PATCH /v1/internal/remittances/status`). */
export type StatusUpdate = z.output<typeof updateSchema>;

/** An update that was read, whatever is wrong with it: a partner that is known is sent events of those that fail, too. */
export interface ReadStatusUpdate {
  /** Failure: VALIDATION_FAILED, once for each issue. */
  readonly update: Result<StatusUpdate>;
  /** The partner that the body names, if it names one at all. */
  readonly partnerId: string | undefined;
  /** The reference that the body carries, cut to 255 characters; undefined when it carries none. */
  readonly referenceId: string | undefined;
}

/** Reads the JSON value of a body. */
export function readStatusUpdate(body: unknown): ReadStatusUpdate {
  const referenceId = textOf(body, 'referenceId');
  return {
    update: readBody(updateSchema, body, 'VALIDATION_FAILED'),
    partnerId: textOf(body, 'partnerId'),
    referenceId: referenceId === undefined ? undefined : toShortText(referenceId, LONGEST_REFERENCE),
  };
}

function textOf(body: unknown, name: string): string | undefined {
  if (typeof body !== 'object' || body === null || isLosslessNumber(body)) {
    return undefined;
  }
  const value: unknown = Object.entries(body).find(([key]) => key === name)?.[1];
  return typeof value === 'string' ? value : undefined;
}
