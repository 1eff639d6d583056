import { parseUrl } from '../../kernel/parse-url.ts';

/** Most characters of a receiver's URL, as sent and as stored. */
export const LONGEST_RECEIVER_URL = 2048;

/**
 * The one form in which a receiver's URL is stored and compared: normalised as browsers do (WHATWG URL Standard), without
 * its fragment. Spaces around it, control characters, upper case in scheme and host, the default port and other spellings of
 * an address disappear, so one receiver has one URL (decisions, section 8, "One URL, one endpoint"). Undefined for
 * anything but an HTTPS URL of at most {@link LONGEST_RECEIVER_URL} characters. It may have credentials.
 */
export function normalizeReceiverUrl(text: string): string | undefined {
  const url = text.length > LONGEST_RECEIVER_URL ? undefined : parseUrl(text);
  if (url === undefined) {
    return undefined;
  }
  url.hash = '';
  const isReceiver = url.protocol === 'https:' && url.href.length <= LONGEST_RECEIVER_URL;
  return isReceiver ? url.href : undefined;
}
