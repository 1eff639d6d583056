import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** A revoked secret works for at most this long in other processes; the promised limit is 5 s. */
const FRESH_FOR_MS = 2_000;
const MOST_KEPT = 10_000;
const LONGEST_SECRET = 512;

/** Finds the record of a secret that a caller sends. */
interface SecretLookup<Stored> {
  /** Undefined for a missing or unknown secret. Returns no promise for a secret that was read a moment ago. */
  find(secret: string | undefined): Stored | undefined | Promise<Stored | undefined>;
  /** Forgets all cached records. */
  clear(): void;
}

interface LookupDeps<Stored> {
  /** Secret that the digests are keyed with. */
  pepper: string;
  /** Reads the valid record of a digest; undefined without one. */
  read(digest: string): Promise<Stored | undefined>;
}

/**
 * Looks secrets up by their digests, each at most once in two seconds. How long a digest takes to be found reveals nothing
 * of the secret: nobody without the pepper can choose digests.
 */
export function createSecretLookup<Stored extends object>({
  pepper,
  read,
}: LookupDeps<Stored>): SecretLookup<Stored> {
  const cache = new LRUCache<string, Stored>({
    max: MOST_KEPT,
    ttl: FRESH_FOR_MS,
    // A read that leaves the cache before it ends still answers its call, and is not kept.
    ignoreFetchAbort: true,
    fetchMethod: (digest) => read(digest),
  });
  return {
    find: (secret) => {
      if (secret === undefined || secret === '' || secret.length > LONGEST_SECRET) {
        return undefined;
      }
      const digest = digestOf(pepper, secret);
      return cache.get(digest) ?? cache.fetch(digest);
    },
    clear: () => cache.clear(),
  };
}

/** The digest under which a secret is stored: HMAC-SHA256, hexadecimal. */
export function digestOf(pepper: string, secret: string): string {
  return createHmac('sha256', pepper).update(secret).digest('hex');
}
