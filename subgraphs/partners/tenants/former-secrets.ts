import { type StoredBytes, toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';

/** A replaced signing secret that still signs beside the new one for a while. */
export interface FormerSecret {
  readonly secret: string;
  /** From this time on it signs nothing. */
  readonly until: Date;
}

/** Each former secret adds 68 characters to the signature header of every webhook. */
const MOST_FORMER_SECRETS = 4;

/** The secrets that still sign at `at`, newest first. */
export function stillValid<Former extends Pick<FormerSecret, 'until'>>(
  former: readonly Former[],
  at: Date,
): Former[] {
  return former.filter(({ until }) => until > at);
}

/** The replaced secret, and the time of its replacement. */
interface Replacement {
  /** Absent: there was no secret, so no former secret signs. */
  readonly secret: string | undefined;
  readonly former: readonly FormerSecret[];
  /** How long the replaced secret still signs; null: no former secret signs from now on, whatever was set before. */
  readonly until: Date | null;
  readonly now: Date;
}

/**
 * The former secrets after `secret` is replaced. A second rotation keeps the promises of the first. Failures:
 * WEBHOOK_SECRETS_LIMIT.
 */
export function retireSecret({ secret, former, until, now }: Replacement): Result<FormerSecret[]> {
  if (until === null) {
    return succeed([]);
  }
  const kept = stillValid(former, now);
  const all = secret === undefined ? kept : [{ secret, until }, ...kept];
  return all.length > MOST_FORMER_SECRETS ? fail('WEBHOOK_SECRETS_LIMIT') : succeed(all);
}

/** Seals all of them as one value; undefined for none, which is stored as no field. */
export function sealFormerSecrets(
  box: Box,
  former: readonly FormerSecret[],
  context: string,
): Buffer | undefined {
  return former.length === 0 ? undefined : box.seal(JSON.stringify(former), context);
}

/** @throws when the value was sealed under another key or has been changed */
export function openFormerSecrets(
  box: Box,
  sealed: StoredBytes | undefined,
  context: string,
): FormerSecret[] {
  if (!sealed) {
    return [];
  }
  const stored: { secret: string; until: string }[] = JSON.parse(
    box.open(toBuffer(sealed), context).toString(),
  );
  return stored.map(({ secret, until }) => ({ secret, until: new Date(until) }));
}
