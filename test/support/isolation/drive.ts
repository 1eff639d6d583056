import { type AccountId, environmentOf, tenantOf } from '../../../subgraphs/kernel/account.ts';
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

/** The account that calls, and the one whose ids it tries. */
interface Sides {
  readonly caller: AccountId;
  readonly victim: AccountId;
}

export interface Drive<Arguments> extends Sides {
  readonly send: Send<Arguments>;
  readonly prepare: Prepare;
  readonly sets: Sets;
  /** Values of the other account: none may come back unless it was sent. */
  readonly theirs: readonly string[];
}

const MISMATCH = '{"reason":"User tenant does not match request tenant"}';
/** They differ from one answer to the next, whatever the request. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['date', 'x-request-id']);

/**
 * Drives every variant of every operation with another account's ids, with such as nobody has, and with the caller's own.
 * @returns in words, each answer that distinguishes one kind of id from the other, contains a value of the other account's, or is
 *   for the caller's own what it is for unknown ones: that one would prove nothing
 */
export async function drive<Arguments>(
  variants: Variants<Arguments>,
  driven: Drive<Arguments>,
): Promise<string[]> {
  const issues: string[] = [];
  for (const [operation, ways] of Object.entries(variants)) {
    for (const [number, way] of ways.filter(({ is }) => is !== 'emptying').entries()) {
      const found = await driveOne(operation, way, driven);
      issues.push(...found.map((issue) => `${operation}, variant ${number + 1}: ${issue}`));
    }
  }
  return issues;
}

/**
 * Drives every variant that takes an id, with another account's ids alone.
 * @returns in words, each answer that contains a value of the other account's
 */
export async function driveForeign<Arguments>(
  variants: Variants<Arguments>,
  { send, prepare, sets, theirs }: Drive<Arguments>,
): Promise<string[]> {
  const issues: string[] = [];
  for (const [operation, ways] of Object.entries(variants)) {
    for (const [number, way] of ways.entries()) {
      const tried = prepare(way, sets.foreign);
      if (hasId(tried)) {
        const leaks = leaksIn(await send(operation, tried.args), tried, theirs);
        issues.push(...leaks.map((value) => `${operation}, variant ${number + 1}: contains ${value}`));
      }
    }
  }
  return issues;
}

async function driveOne<Arguments>(
  operation: string,
  variant: Variant<Arguments>,
  { send, prepare, sets, theirs, ...sides }: Drive<Arguments>,
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
  const refusal = refusalOf(variant.is, sides);
  if (refusal !== undefined) {
    const isRefused = (text: string) => text.includes(`"code":"${refusal}"`);
    const accepted = [foreign, unknown, own].filter(({ text }) => !isRefused(text)).map(({ seen }) => seen);
    return [...leaks, ...accepted.map((seen) => `is not refused with ${refusal}: ${seen}`)];
  }
  if (variant.is === 'mismatch' && tenantOf(sides.caller) !== tenantOf(sides.victim)) {
    const isAsDocumented = foreign.status === 403 && foreign.text === MISMATCH && unknown.status === 404;
    return isAsDocumented ? leaks : [...leaks, `is not the documented mismatch: ${foreign.seen}`];
  }
  const issues = foreign.seen === unknown.seen ? [] : [`distinguishes ${foreign.seen} from ${unknown.seen}`];
  if (variant.is !== 'free' && own.seen === unknown.seen) {
    issues.push(`proves nothing: the caller's own gets the same, ${own.seen}`);
  }
  return [...issues, ...leaks];
}

/** The error that the caller gets for every id. */
function refusalOf(is: Variant<unknown>['is'], { caller }: Sides): string | undefined {
  const isLive = environmentOf(caller) === 'live';
  return is === 'operators' ? 'FORBIDDEN' : is === 'simulation' && isLive ? 'SANDBOX_ONLY' : undefined;
}

/** Status, headers and body, masked. Each call takes one from what is left of its caller's limits. */
function seenOf({ status, headers, text }: RawResponse, { sent }: Try<unknown>): string {
  const kept = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name));
  const seen = JSON.stringify(Object.fromEntries(kept)).replaceAll(/;r=\d+;t=\d+/g, ';r=<left>;t=<seconds>');
  return `${status} ${seen} ${mask(text, sent)}`;
}

/** Values of the other account's in a text, other than those that were sent and their nodeIds. */
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
