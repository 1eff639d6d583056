import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Principal } from '../../subgraphs/kernel/principal.ts';
import type { Credential } from './credentials.ts';
import { createRevocations, type Revocations } from './revocation.ts';

const KEY: Credential = { kind: 'key', text: 'raas_sandbox_acme_full' };
const TOKEN: Credential = { kind: 'token', text: 'raas_browser_1' };
const SESSION: Credential = { kind: 'session', text: 'raas_console_1' };
const ROUND_MS = 2_000;
const LIFETIME_MS = 60_000;

const ofKey: Principal = { accountId: 'acme/sandbox', keyId: 'key_1', scopes: ['partner'] };
let ofToken: Principal;
let known: Map<Credential, Principal | null>;
let lookedUp: Credential[];
let away: boolean;
let warn: jest.Mock<() => void>;
let revocations: Revocations;

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  ofToken = { ...ofKey, browserToken: { tokenId: 'btk_1', expiresAt: LIFETIME_MS } };
  known = new Map([
    [KEY, ofKey],
    [TOKEN, ofToken],
  ]);
  lookedUp = [];
  away = false;
  warn = jest.fn();
  const authenticate = async (credential: Credential | undefined) => {
    if (away || credential === undefined) {
      throw new Error('The store is away');
    }
    lookedUp.push(credential);
    return known.get(credential) ?? null;
  };
  revocations = createRevocations({ authenticate }, { warn });
});
afterEach(() => {
  revocations.close();
  jest.useRealTimers();
});

/** Lets time pass, and waits for the end of due rounds. */
async function pass(ms: number): Promise<void> {
  const rounds = Math.floor(ms / ROUND_MS);
  for (const part of [...new Array<number>(rounds).fill(ROUND_MS), ms % ROUND_MS]) {
    jest.advanceTimersByTime(part);
    for (let turn = 0; turn < 10; turn += 1) {
      await Promise.resolve();
    }
  }
}

function open(credential: Credential, principal: Principal) {
  const stream = { ends: 0, close: () => {} };
  stream.close = revocations.watch(credential, principal, () => {
    stream.ends += 1;
  });
  return stream;
}

describe('Open connections', () => {
  test('ends with its key or token, once; streams of others continue', async () => {
    const [one, other] = [open(TOKEN, ofToken), open(TOKEN, ofToken)];
    const server = open(KEY, ofKey);
    await pass(ROUND_MS);
    expect([one.ends, other.ends, server.ends]).toEqual([0, 0, 0]);
    known.set(TOKEN, null);
    await pass(LIFETIME_MS * 2);
    expect([one.ends, other.ends, server.ends]).toEqual([1, 1, 0]);
  });

  test('ends when its key lost a scope', async () => {
    const server = open(KEY, ofKey);
    known.set(KEY, { ...ofKey, scopes: [] });
    await pass(ROUND_MS);
    expect(server.ends).toBe(1);
  });

  test('ends exactly when its token or session expires, even if a cached credential is valid', async () => {
    const consoleSession = {
      sessionId: 'cse_1',
      label: 'Ana',
      access: 'read',
      expiresAt: LIFETIME_MS,
    } as const;
    const ofSession = { ...ofKey, consoleSession };
    known.set(SESSION, ofSession);
    const [page, person] = [open(TOKEN, ofToken), open(SESSION, ofSession)];
    await pass(LIFETIME_MS - 1);
    expect([page.ends, person.ends]).toEqual([0, 0]);
    await pass(1);
    expect([page.ends, person.ends]).toEqual([1, 1]);
  });

  test('ends with its token, even while the store is unreachable', async () => {
    const page = open(TOKEN, ofToken);
    away = true;
    await pass(LIFETIME_MS);
    expect(page.ends).toBe(1);
    expect(warn).toHaveBeenCalled();
  });

  test('is not ended if it has closed before', async () => {
    const [page, server] = [open(TOKEN, ofToken), open(KEY, ofKey)];
    page.close();
    server.close();
    known.clear();
    await pass(LIFETIME_MS * 2);
    expect([page.ends, server.ends]).toEqual([0, 0]);
  });
});

test('A credential is looked up once a round for all its streams, and no longer after the last one closes', async () => {
  const streams = [open(KEY, ofKey), open(KEY, ofKey), open(KEY, ofKey)];
  await pass(ROUND_MS);
  expect(lookedUp).toEqual([KEY]);
  for (const stream of streams) {
    stream.close();
  }
  await pass(ROUND_MS * 3);
  expect(lookedUp).toEqual([KEY]);
});
