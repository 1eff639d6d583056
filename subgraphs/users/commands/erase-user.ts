import { z } from 'zod';
import type { Result } from '../../kernel/errors/result.ts';
import { readBody } from '../../kernel/json/read-body.ts';
import { bodyError, freeText, rejectLosslessNumber } from '../../kernel/json/schemas.ts';
import { isBlank } from '../../kernel/text.ts';

const LONGEST_REASON = 500;

const reason = freeText(LONGEST_REASON).refine((value) => !isBlank(value), 'must not be empty');
const eraseUserSchema = rejectLosslessNumber(z.object({ reason }, bodyError));

/** Why a user is erased. */
export type EraseUser = z.output<typeof eraseUserSchema>;

/** Fails with INVALID_REQUEST. */
export function readEraseUser(value: unknown): Result<EraseUser> {
  return readBody(eraseUserSchema, value);
}
