import { z } from 'zod';
import {
  isWellFormed,
  object,
  rejectLosslessNumber,
  requiredOr,
  string,
  text,
} from '../../platform/json/schemas.ts';
import { withoutUndefined } from '../../platform/objects.ts';
import { isDate } from '../../platform/person/checks.ts';
import type { GivenUserData, UserData } from '../user-data.ts';
import { idImage } from './id-image.ts';
import { jsonObject } from './json-object.ts';

const LONGEST_ID_TYPE = 64;

const idType = string()
  .pipe(
    z
      .string()
      .min(1, 'must not be empty')
      .max(LONGEST_ID_TYPE, `must have at most ${LONGEST_ID_TYPE} characters`)
      .refine(isWellFormed, 'must be well-formed Unicode'),
  )
  .meta({ minLength: 1, maxLength: LONGEST_ID_TYPE, description: 'Such as `passport`.' });

const personName = object({
  firstName: text,
  secondName: text.optional(),
  lastName: text,
  secondLastName: text.optional(),
});

/** `userData` of a REST body. It ignores unknown members. */
export const userDataSchema = rejectLosslessNumber(
  z.object(
    {
      name: rejectLosslessNumber(personName).optional(),
      idType: idType.optional(),
      idNumber: text.optional(),
      dob: string().refine(isDate, 'must be a real date as YYYY-MM-DD').meta({ format: 'date' }).optional(),
      paymentMethod: jsonObject.optional(),
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
