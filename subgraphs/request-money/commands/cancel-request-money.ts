import { z } from 'zod';
import type { Result } from '../../kernel/errors/result.ts';
import { readBody } from '../../kernel/json/read-body.ts';
import { bodyError, freeText, rejectLosslessNumber } from '../../kernel/json/schemas.ts';
import { maskCardNumbers } from '../../kernel/person/mask-numbers.ts';
import { isBlank } from '../../kernel/text.ts';

const LONGEST_REASON = 200;

/** It becomes `statusDetails`, which is sent to partners and is stored in clear: it has no card numbers. */
const reason = freeText(LONGEST_REASON)
  .optional()
  .transform((value) => (value === undefined || isBlank(value) ? undefined : maskCardNumbers(value)))
  .meta({
    maxLength: LONGEST_REASON,
    description:
      'Becomes `statusDetails`; `CancelledByPartner` if it is absent or blank. Numbers of 12 and more digits are masked.',
  });

/** The body of `POST /v1/request-money/{referenceId}/cancel` (decisions, section 8, "Cancelling by the partner"). */
export const cancelSchema = rejectLosslessNumber(z.object({ reason }, bodyError));

/** Why a partner cancels a money request. */
export type CancelRequestMoney = z.output<typeof cancelSchema>;

/** Fails with VALIDATION_FAILED. */
export function readCancel(value: unknown): Result<CancelRequestMoney> {
  return readBody(cancelSchema, value, 'VALIDATION_FAILED');
}
