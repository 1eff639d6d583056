import { LosslessNumber } from 'lossless-json';
import { z } from 'zod';
import {
  bodyError,
  lifeMinutes,
  rejectLosslessNumber,
  requiredOr,
  text,
} from '../../platform/json/schemas.ts';
import { LINK_FLOWS } from '../store/model.ts';
import { jsonObject } from './json-object.ts';
import { USER_DATA_FIELDS, userDataSchema } from './user-data.ts';

const DEFAULT_LIFE_MINUTES = 1_440;
/** The same field may be named more than once. */
const MOST_FIELDS = 100;

const body = <Shape extends z.ZodRawShape>(shape: Shape) => rejectLosslessNumber(z.object(shape, bodyError));
const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, { error: requiredOr(`must be one of ${values.join(', ')}`) });

/** `POST /partner/links` (decisions, section 4). */
export const createLinkSchema = body({
  flow: oneOf(LINK_FLOWS).describe('One that the partner has.'),
  referenceId: text.describe("The partner's own id of the user; a new one makes the user."),
  expiresInMinutes: lifeMinutes
    .meta({ description: `Life of the link in minutes; ${DEFAULT_LIFE_MINUTES} when absent.` })
    .default(DEFAULT_LIFE_MINUTES),
  userData: userDataSchema.optional(),
  metadata: jsonObject.optional(),
});
export type CreateLinkBody = z.output<typeof createLinkSchema>;

/** `POST /partner/cip/tickets` (document 3). */
export const createTicketSchema = body({ linkId: text });

/** `PUT /partner/data-requests/{dataRequestId}` (document 3). */
export const fulfilSchema = body({ referenceId: text, userData: userDataSchema });
export type FulfilBody = z.output<typeof fulfilSchema>;

/** `POST /v1/internal/data-requests` (decisions, section 4). */
export const raiseSchema = body({
  partnerId: text,
  linkId: text,
  fields: z
    .array(z.unknown(), { error: requiredOr('must be a list of fields') })
    .min(1, 'must name one field at least')
    .max(MOST_FIELDS, `must name at most ${MOST_FIELDS} fields`)
    // A second step: of a list that is too long no item is looked at.
    .pipe(z.array(oneOf(USER_DATA_FIELDS)))
    .meta({ items: { type: 'string', enum: USER_DATA_FIELDS } })
    .transform((fields) => [...new Set(fields)]),
});
export type RaiseBody = z.output<typeof raiseSchema>;

/** `PATCH /v1/internal/users/{userId}/cip` (decisions, section 4). */
export const updateCipSchema = body({
  status: oneOf(['pending', 'verified', 'failed']),
  provider: text.optional().describe('Who checked.'),
  result: jsonObject.optional().describe('What the checker told beside the status.'),
});
export type UpdateCipBody = z.output<typeof updateCipSchema>;

/** A number as readers of REST bodies have it. */
export function toLossless(value: number): LosslessNumber {
  return new LosslessNumber(String(value));
}
