import { z } from 'zod';
import {
  object,
  personName,
  rejectLosslessNumber,
  requiredOr,
  string,
  text,
  textOf,
} from '../../kernel/json/schemas.ts';
import { isRecord, withoutUndefined } from '../../kernel/objects.ts';
import { isDate } from '../../kernel/person/checks.ts';
import { findNameIssue } from '../../kernel/person/name.ts';
import type { GivenUserData, UserData } from '../user-data.ts';
import { idImage } from './id-image.ts';
import { jsonObject } from './json-object.ts';

const LONGEST_ID_TYPE = 64;

const idType = textOf(LONGEST_ID_TYPE).meta({ description: 'Such as `passport`.' });

const name = object({
  firstName: personName,
  secondName: personName.optional(),
  lastName: personName,
  secondLastName: personName.optional(),
});

/** Document 3 names one member of the partner's own object: `cash: { provider, reference }`. */
const paymentMethod = jsonObject.superRefine(({ cash }, context) => {
  const provider = isRecord(cash) ? cash.provider : undefined;
  const message = typeof provider === 'string' ? findNameIssue(provider) : undefined;
  if (message !== undefined) {
    context.addIssue({ code: 'custom', path: ['cash', 'provider'], message });
  }
});

/** `userData` of a REST body. It ignores unknown members. */
export const userDataSchema = rejectLosslessNumber(
  z.object(
    {
      name: rejectLosslessNumber(name).optional(),
      idType: idType.optional(),
      idNumber: text.optional(),
      dob: string().refine(isDate, 'must be a real date as YYYY-MM-DD').meta({ format: 'date' }).optional(),
      paymentMethod: paymentMethod.optional(),
      idImage: idImage.optional(),
    },
    { error: requiredOr('must be an object') },
  ),
);

/** Separates the image from the other fields, and leaves out absent fields. */
export function toGiven({ idImage: image, ...rest }: z.output<typeof userDataSchema>): GivenUserData {
  const { name, ...others } = withoutUndefined(rest);
  const data: UserData = { ...(name && { name: withoutUndefined(name) }), ...others };
  return image === undefined ? { data } : { data, image };
}
