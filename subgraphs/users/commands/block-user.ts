import { z } from 'zod';
import type { Result } from '../../platform/errors/result.ts';
import { readBody } from '../../platform/json/read-body.ts';
import { bodyError, isWellFormed, rejectLosslessNumber, string } from '../../platform/json/schemas.ts';

const LONGEST_REASON = 500;

const reason = string()
  .refine((value) => [...value].length <= LONGEST_REASON, `must have at most ${LONGEST_REASON} characters`)
  .refine(isWellFormed, 'must be well-formed Unicode')
  .meta({ maxLength: LONGEST_REASON, description: 'Kept for audit.' });

/** `POST /partner/users/{userId}/block` (document 3). */
export const blockUserSchema = rejectLosslessNumber(z.object({ reason: reason.optional() }, bodyError));

/** Why a user is blocked. */
export type BlockUser = z.output<typeof blockUserSchema>;

/** Fails with INVALID_REQUEST. */
export function readBlockUser(value: unknown): Result<BlockUser> {
  return readBody(blockUserSchema, value);
}
