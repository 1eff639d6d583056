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
import { jsonObject } from '../json-object.ts';
import type { GivenUserData, IdImage, UserData } from '../user-data.ts';

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

export const MOST_IMAGE_BYTES = 1024 * 1024;

/** Whether bytes begin as those of the type. */
const TYPES = {
  gif: (bytes: Buffer) => /^GIF8[79]a$/.test(bytes.subarray(0, 6).toString('latin1')),
  png: (bytes: Buffer) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  jpeg: (bytes: Buffer) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  webp: (bytes: Buffer) =>
    bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WEBP',
} as const;

/**
 * The text before the data. Source: RFC 2397, with parameters by RFC 2045: a token or a quoted text. All names are in any
 * case of letters.
 */
const HEAD =
  /^data:image\/(gif|png|jpe?g|webp)(?: *; *[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~/:-]+|"(?:[ !#-[\]-~\u00a0-\uffff]|\\[ -~\u00a0-\uffff])*"))* *; *base64,/i;

/** A data URI, decoded. Its bytes have the declared type, and are at most 1 MiB. */
const idImage = string()
  .transform((uri, context): IdImage => {
    const read = readImage(uri);
    if (typeof read !== 'string') {
      return read;
    }
    context.issues.push({ code: 'custom', message: read, input: uri });
    return z.NEVER;
  })
  .meta({
    description:
      'Data URI of a PNG, JPEG, GIF or WebP image in base64, at most 1 MiB decoded. Parameters may stand before `;base64`.',
    pattern: '^[dD][aA][tT][aA]:[iI][mM][aA][gG][eE]/',
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

/** The image, or what is wrong with it. */
function readImage(uri: string): IdImage | string {
  const [head, name] = HEAD.exec(uri) ?? [];
  const type = name?.toLowerCase().replace('jpg', 'jpeg');
  if (head === undefined || !isType(type)) {
    return 'must be a data URI of a PNG, JPEG, GIF or WebP image in base64, such as data:image/png;base64,…';
  }
  const encoded = uri.slice(head.length);
  const bytes = Buffer.from(encoded, 'base64');
  // The decoder skips unknown characters: only text that encodes to itself again was base64.
  if (bytes.toString('base64') !== encoded) {
    return 'is not base64';
  }
  if (bytes.length > MOST_IMAGE_BYTES) {
    return `must have at most ${MOST_IMAGE_BYTES} bytes`;
  }
  return TYPES[type](bytes) ? { contentType: `image/${type}`, bytes } : 'is not of the type that it says';
}

function isType(name: string | undefined): name is keyof typeof TYPES {
  return name !== undefined && Object.hasOwn(TYPES, name);
}
