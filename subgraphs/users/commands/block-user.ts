import { z } from 'zod';
import type { Result } from '../../kernel/errors/result.ts';
import { readBody } from '../../kernel/json/read-body.ts';
import { bodyError, freeText, rejectLosslessNumber } from '../../kernel/json/schemas.ts';

const LONGEST_REASON = 500;

const reason = freeText(LONGEST_REASON).meta({ description: 'Kept for audit.' });

/** `POST /partner/users/{userId}/block` (document 3). */
export const blockUserSchema = rejectLosslessNumber(z.object({ reason: reason.optional() }, bodyError));

/** Why a user is blocked. */
export type BlockUser = z.output<typeof blockUserSchema>;

/** Fails with INVALID_REQUEST. */
export function readBlockUser(value: unknown): Result<BlockUser> {
  return readBody(blockUserSchema, value);
}
