import type { RawResponse } from '../http.ts';
import type { Ids } from './ids.ts';
import { hasId, mask, type Prepare, type Try, type Variant, type Variants } from './variant.ts';

/** Makes one call of a surface, as the caller. */
export type Send<Arguments> = (operation: string, args: Arguments) => Promise<RawResponse>;

/** Sets of ids that the caller tries. */
export interface Sets {
  readonly own: Ids;
  readonly foreign: Ids;
  readonly unknown: Ids;
}

export interface Drive<Arguments> {
  readonly send: Send<Arguments>;
  readonly prepare: Prepare;
  readonly sets: Sets;
  /** Values of the other tenant: none may come back unless it was sent. */
  readonly theirs: readonly string[];
}

const MISMATCH = '{"reason":"User tenant does not match request tenant"}';
/** They differ from one answer to the next, whatever the request. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['date', 'x-request-id']);

/**
 * Drives every variant of every operation with another tenant's ids, with such as nobody has, and with the caller's own.
 * @returns in words, each answer that distinguishes one kind of id from the other, contains a value of the other tenant's, or is
 *   for the caller's own what it is for unknown ones: that one would prove nothing
 */
export async function drive<Arguments>(
  variants: Variants<Arguments>,
  driven: Drive<Arguments>,
): Promise<string[]> {
  const issues: string[] = [];
  for (const [operation, ways] of Object.entries(variants)) {
    for (const [number, way] of ways.entries()) {
      const found = await driveOne(operation, way, driven);
      issues.push(...found.map((issue) => `${operation}, variant ${number + 1}: ${issue}`));
    }
  }
  return issues;
}

async function driveOne<Arguments>(
  operation: string,
  variant: Variant<Arguments>,
  { send, prepare, sets, theirs }: Drive<Arguments>,
): Promise<string[]> {
  const leaks: string[] = [];
  const answer = async (ids: Ids) => {
    const tried = prepare(variant, ids);
    const response = await send(operation, tried.args);
    leaks.push(...leaksIn(response, tried, theirs).map((value) => `contains ${value}`));
    return { ...response, seen: seenOf(response, tried), tried };
  };
  const foreign = await answer(sets.foreign);
  if (!hasId(foreign.tried)) {
    return foreign.status < 300 ? leaks : [...leaks, `is rejected: ${foreign.seen}`];
  }
  const unknown = await answer(sets.unknown);
  const own = await answer(sets.own);
  if (variant.is === 'mismatch') {
    const isAsDocumented = foreign.status === 403 && foreign.text === MISMATCH && unknown.status === 404;
    return isAsDocumented ? leaks : [...leaks, `is not the documented mismatch: ${foreign.seen}`];
  }
  const issues = foreign.seen === unknown.seen ? [] : [`distinguishes ${foreign.seen} from ${unknown.seen}`];
  if (variant.is !== 'free' && own.seen === unknown.seen) {
    issues.push(`proves nothing: the caller's own gets the same, ${own.seen}`);
  }
  return [...issues, ...leaks];
}

/** Status, headers and body, masked. */
function seenOf({ status, headers, text }: RawResponse, { sent }: Try<unknown>): string {
  const kept = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name));
  return `${status} ${JSON.stringify(Object.fromEntries(kept))} ${mask(text, sent)}`;
}

/** Values of the other tenant's in a text, other than those that were sent and their nodeIds. */
export function leaksIn(
  { text }: { readonly text: string },
  { sent }: Pick<Try<unknown>, 'sent'>,
  theirs: readonly string[],
): string[] {
  const bare = [...sent.keys()].reduce((rest, value) => rest.replaceAll(value, ''), text);
  return theirs.filter((value) => bare.includes(value) && !isNodeIdOf([...sent.keys()], value));
}

function isNodeIdOf(ids: readonly string[], value: string): boolean {
  const decoded = Buffer.from(value, 'base64url').toString();
  return ids.some((id) => decoded.endsWith(`:${id}`));
}
