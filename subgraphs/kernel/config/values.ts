import { isIP } from 'node:net';
import { z } from 'zod';
import { ENVIRONMENTS } from '../account.ts';
import { hasCredentials, parseUrl } from '../parse-url.ts';

// Readers of environment variables. Each says what is wrong in words for an operator.

export const port = z.coerce.number('must be a port number').int('must be a port number').min(0).max(65_535);
export const text = z.string().min(1);
export const seconds = (bound: { min: number; max: number }) =>
  z.coerce
    .number('must be a number of seconds')
    .int('must be a whole number of seconds')
    .min(bound.min, `must be at least ${bound.min}`)
    .max(bound.max, `must be at most ${bound.max}`);
export const days = (bound: { min: number }) =>
  z.coerce
    .number('must be a number of days')
    .int('must be a whole number of days')
    .min(bound.min, `must be at least ${bound.min}`)
    .max(3650, 'must be at most 3650');
export const count = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(1, 'must be at least 1');
export const callsPerMinute = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(0, 'must be at least 0')
  .default(600_000);
export const flag = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true');
/** No call sends the credentials of a URL, so a URL that has some would be called without them. */
const hasNoCredentials = (value: string) => {
  const url = parseUrl(value);
  return !(url && hasCredentials(url));
};
const NO_CREDENTIALS = 'must not have a user name or a password: they would not be sent';
export const webUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL whose scheme matches ^https?$' })
  .refine(hasNoCredentials, NO_CREDENTIALS);
export const httpsUrl = z
  .url({ protocol: /^https$/, error: 'must be an https:// URL' })
  .refine(hasNoCredentials, NO_CREDENTIALS);

export const smtpUrl = z
  .url({ protocol: /^smtps?$/, error: 'must be a URL whose scheme matches ^smtps?$' })
  .refine((value) => parseUrl(value)?.hostname, 'must have a host');
export const mailAddress = z.email('must be an email address, without a name');

/** 30 days. No time can be made of much longer delays. */
const LONGEST_DELAY_SECONDS = 2_592_000;

export const retrySchedule = z
  .string()
  .regex(/^\d+(,\d+)*$/, 'must be whole seconds separated by commas')
  .transform((value) => value.split(',').map(Number))
  .refine(
    (delays) => delays.every((delay) => delay <= LONGEST_DELAY_SECONDS),
    `must be delays of at most ${LONGEST_DELAY_SECONDS} seconds`,
  );

/** Texts separated by commas; spaces around them do not count. */
const texts = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

/** The environments that a deployment serves, each once, in this order. */
export const environmentList = texts
  .pipe(z.array(z.enum(ENVIRONMENTS, `must be of ${ENVIRONMENTS.join(', ')}, separated by commas`)))
  .refine((named) => named.length > 0, 'must have one environment at least')
  .transform((named) => [...new Set(named)]);

export const cidrList = texts.refine(
  (blocks) => blocks.every(isCidr),
  'must be CIDR blocks separated by commas, such as 127.0.0.0/8,::1/128',
);

export const originList = texts.refine(
  (origins) => origins.every(isOrigin),
  'must be origins separated by commas, such as https://app.example.com: a scheme, a host, maybe a port, no path',
);

/** It must be written exactly as browsers send it, because it is compared letter by letter. */
function isOrigin(text: string): boolean {
  const url = parseUrl(text);
  return url !== undefined && /^https?:$/.test(url.protocol) && url.origin === text;
}

function isCidr(block: string): boolean {
  const [address = '', bits = '', ...rest] = block.split('/');
  const family = isIP(address);
  return family !== 0 && rest.length === 0 && /^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

export const TOKEN_KEY = /^[^\s,]{32,}$/;

export const subgraphUrl = webUrl.optional();
