import { createHmac } from 'node:crypto';
import type { AccountId } from '../account.ts';

/**
 * Keyed digests that find a sealed value: equal values of an account's field have equal digests, and without the key nobody can
 * try values. The caller normalises the value first (E.164, lower case).
 */
export interface BlindIndex {
  /** 43 URL-safe characters; different for every account and field. */
  digest(accountId: AccountId, field: string, value: string): string;
}

/** HMAC-SHA256 under one key of 32 bytes. */
export function createBlindIndex(key: Buffer): BlindIndex {
  return {
    digest: (accountId, field, value) =>
      createHmac('sha256', key)
        .update(JSON.stringify([accountId, field, value]))
        .digest('base64url'),
  };
}
