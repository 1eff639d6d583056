import { randomBytes } from 'node:crypto';
import { type AccountId, type Environment, environmentOf } from '../../kernel/account.ts';
import type { Scope } from '../../kernel/principal.ts';
import { digestOf } from './lookup.ts';
import type { ApiKeyDocument } from './model.ts';

const SHOWN_PREFIX = 16;
const LIVE = 'raas_live_';

/** The public part of a key. Times are UTC. */
export interface ApiKey {
  keyId: string;
  accountId: AccountId;
  prefix: string;
  /** That of its account. */
  environment: Environment;
  scopes: readonly Scope[];
  label: string;
  createdAt: Date;
  lastUsedAt?: Date;
  /** The keys whose end also ends it; absent for none. */
  endsWith?: readonly string[];
  /** When a key that was replaced ends or has ended. */
  endsAt?: Date;
  revokedAt?: Date;
}

export interface NewApiKey {
  accountId: AccountId;
  scopes: readonly Scope[];
  label: string;
  /** The keys whose end also ends it. Default: none. */
  endsWith?: readonly string[] | undefined;
  /** The console sessions that it comes from. Default: none. */
  madeIn?: readonly string[] | undefined;
  endsAt?: Date | undefined;
}

/** A key that was just made. */
export interface MadeApiKey {
  /** The key for its holder; nothing else ever shows it. */
  readonly key: string;
  readonly apiKey: ApiKey;
}

/** Creates the text of a key: 256 random bits after a prefix that names its environment. */
export function newKey(environment: Environment): string {
  return `raas_${environment}_${randomBytes(32).toString('base64url')}`;
}

/** The environment of a key, decided from its whole text, never from the shown part (decisions, section 7). */
export function environmentOfKey(key: string): Environment {
  return key.startsWith(LIVE) ? 'live' : 'sandbox';
}

/** The document that stores a key: never the key itself. */
export function documentOf(pepper: string, key: string, input: NewApiKey): ApiKeyDocument {
  return {
    _id: `key_${randomBytes(15).toString('base64url')}`,
    accountId: input.accountId,
    hash: digestOf(pepper, key),
    prefix: key.slice(0, Math.min(SHOWN_PREFIX, Math.floor(key.length / 2))),
    scopes: [...input.scopes],
    label: input.label,
    createdAt: new Date(),
    ...(input.endsWith?.length && { endsWith: [...input.endsWith] }),
    ...(input.madeIn?.length && { madeIn: [...input.madeIn] }),
    ...(input.endsAt && { endsAt: input.endsAt }),
  };
}

/** The public part of a stored key. */
export function present(document: ApiKeyDocument): ApiKey {
  const { _id: keyId, hash: _hash, dependents: _count, madeIn: _madeIn, ...shown } = document;
  return { keyId, ...shown, environment: environmentOf(shown.accountId) };
}

/**
 * Whether a key has ended at a time. A revoked key has ended whatever the time is: the clock of another machine may be behind.
 */
export function hasEnded({ revokedAt, endsAt }: Ends, at: Date): boolean {
  return revokedAt !== undefined || (endsAt !== undefined && endsAt <= at);
}

type Ends = { readonly [Field in 'revokedAt' | 'endsAt']?: Date | undefined };
