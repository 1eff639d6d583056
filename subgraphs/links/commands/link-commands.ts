import { z } from 'zod';
import { type Result, succeed } from '../../kernel/errors/result.ts';
import { readBody } from '../../kernel/json/read-body.ts';
import {
  bodyError,
  environment,
  lifeMinutes,
  personName,
  providerText,
  rejectLosslessNumber,
  requiredOr,
  text,
} from '../../kernel/json/schemas.ts';
import { withoutUndefined } from '../../kernel/objects.ts';
import { maskCardNumbers } from '../../kernel/person/mask-numbers.ts';
import type { NamedPartner } from '../../partners/tenants/find-meant.ts';
import { CIP_STATUSES } from '../../users/index.ts';
import { ATTACHED, type Attached } from '../attached.ts';
import { jsonObject } from '../json-object.ts';
import { LINK_FLOWS } from '../link.ts';
import { type GivenUserData, USER_DATA_FIELDS } from '../user-data.ts';
import { toGiven, userDataSchema } from './user-data.ts';

const DEFAULT_LIFE_MINUTES = 1_440;
/** The same field may be named more than once. */
const MOST_FIELDS = 100;

const body = <Shape extends z.ZodRawShape>(shape: Shape) => rejectLosslessNumber(z.object(shape, bodyError));
const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, { error: requiredOr(`must be one of ${values.join(', ')}`) });

/** `POST /partner/links` (decisions, section 4). */
export const createLinkSchema = body({
  flow: oneOf(LINK_FLOWS).describe('One that the partner has.'),
  referenceId: personName.describe("The partner's own id of the user; a new one makes the user."),
  expiresInMinutes: lifeMinutes
    .meta({ description: `Life of the link in minutes; ${DEFAULT_LIFE_MINUTES} when absent.` })
    .default(DEFAULT_LIFE_MINUTES),
  userData: userDataSchema.optional(),
  ...ATTACHED,
});

/** A link to make. */
export interface CreateLink
  extends Pick<z.output<typeof createLinkSchema>, 'flow' | 'referenceId' | 'expiresInMinutes'> {
  readonly userData: GivenUserData;
  readonly attached: Attached;
}

/** Fails with INVALID_REQUEST, once for each bad value. */
export function readCreateLink(value: unknown): Result<CreateLink> {
  const read = readBody(createLinkSchema, value);
  if (!read.ok) {
    return read;
  }
  const { flow, referenceId, expiresInMinutes, userData = {}, ...attached } = read.value;
  const link = { flow, referenceId, expiresInMinutes, userData: toGiven(userData) };
  return succeed({ ...link, attached: withoutUndefined(attached) });
}

/** `POST /partner/cip/tickets` (document 3). */
export const createCipTicketSchema = body({ linkId: text });

/** An identity check to request. */
export type CreateCipTicket = z.output<typeof createCipTicketSchema>;

/** Fails with INVALID_REQUEST. */
export function readCreateCipTicket(value: unknown): Result<CreateCipTicket> {
  return readBody(createCipTicketSchema, value);
}

/** `PUT /partner/data-requests/{dataRequestId}` (document 3). */
export const fulfilSchema = body({ referenceId: text, userData: userDataSchema });

/** An answer to a data request. */
export interface FulfilDataRequest {
  readonly referenceId: string;
  readonly userData: GivenUserData;
  /** Names of all members of `userData`, known or not: all of them must have been requested. */
  readonly fields: readonly string[];
}

/** Fails with INVALID_REQUEST, once for each bad value. */
export function readFulfilDataRequest(value: unknown): Result<FulfilDataRequest> {
  const read = readBody(fulfilSchema, value);
  if (!read.ok) {
    return read;
  }
  const fields = readBody(fieldNames, value);
  return fields.ok
    ? succeed({
        referenceId: read.value.referenceId,
        userData: toGiven(read.value.userData),
        fields: fields.value,
      })
    : fields;
}

/** Reads `userData` as sent: the schema above, and `z.record` for `__proto__`, leave out members. */
const fieldNames = z
  .object({ userData: z.custom<Readonly<Record<string, unknown>>>() })
  .transform(({ userData }) => Object.keys(userData).filter((key) => userData[key] !== undefined));

const raised = {
  linkId: text,
  fields: z
    .array(z.unknown(), { error: requiredOr('must be a list of fields') })
    .min(1, 'must name one field at least')
    .max(MOST_FIELDS, `must name at most ${MOST_FIELDS} fields`)
    // A second step, so that items of a list that is too long are not checked.
    .pipe(z.array(oneOf(USER_DATA_FIELDS)))
    .meta({ items: { type: 'string', enum: USER_DATA_FIELDS } })
    .transform((fields) => [...new Set(fields)]),
};

/** `POST /v1/internal/data-requests` (decisions, section 4). */
export const raiseSchema = body({ partnerId: text, environment: environment.optional(), ...raised });

/** `POST /v1/sandbox/data-requests`: the same for the caller's own link. */
export const simulatedRaiseSchema = body(raised);

/** A data request to raise. */
export type RaiseDataRequest = z.output<typeof raiseSchema>;

/** Fails with VALIDATION_FAILED, once for each bad value. */
export function readRaiseDataRequest(value: unknown): Result<RaiseDataRequest> {
  return readBody(raiseSchema, value, 'VALIDATION_FAILED');
}

/** Fails with VALIDATION_FAILED, once for each bad value. */
export function readSimulatedRaise(value: unknown): Result<Omit<RaiseDataRequest, keyof NamedPartner>> {
  return readBody(simulatedRaiseSchema, value, 'VALIDATION_FAILED');
}

/** `POST /v1/internal/links/{linkId}/open` (decisions, sections 4 and 8). */
export const openLinkSchema = body({ environment: environment.optional() });

/** The opening of a link by its user. */
export type OpenLink = z.output<typeof openLinkSchema>;

/** Fails with VALIDATION_FAILED. */
export function readOpenLink(value: unknown): Result<OpenLink> {
  return readBody(openLinkSchema, value, 'VALIDATION_FAILED');
}

/** The details of a checker without card numbers in their texts (decisions, section 8, "Texts of providers"). The cast: it masks texts only. */
function withoutCardNumbers<Details extends object>(details: Details): Details {
  const mask = (_name: string, value: unknown) =>
    typeof value === 'string' ? maskCardNumbers(value) : value;
  return JSON.parse(JSON.stringify(details), mask) as Details;
}

const identityCheck = {
  status: oneOf(CIP_STATUSES),
  provider: providerText.optional().describe('The checker.'),
  result: jsonObject
    .transform(withoutCardNumbers)
    .optional()
    .describe('Details that the checker reported beside the status.'),
};

/** `PATCH /v1/internal/users/{userId}/cip` (decisions, section 4). */
export const updateCipSchema = body({ environment: environment.optional(), ...identityCheck });

/** `POST /v1/sandbox/users/{userId}/cip`: the same for the caller's own user (decisions, section 8, "Simulation"). */
export const simulatedCipSchema = body(identityCheck);

/** The state of a user's identity check, as the platform's own back end sets it. */
export type UpdateCip = z.output<typeof updateCipSchema>;

/** Fails with VALIDATION_FAILED, once for each bad value. */
export function readUpdateCip(value: unknown): Result<UpdateCip> {
  return readBody(updateCipSchema, value, 'VALIDATION_FAILED');
}

/** Fails with VALIDATION_FAILED, once for each bad value. */
export function readSimulatedCip(value: unknown): Result<Omit<UpdateCip, 'environment'>> {
  return readBody(simulatedCipSchema, value, 'VALIDATION_FAILED');
}
