import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { keyringOf } from '../../../subgraphs/kernel/crypto/keyring.ts';
import type { Exchange, RawResponse } from '../../support/http.ts';
import { createMoneyRequest, moneyRequestBody, newReference } from '../../support/money-requests.ts';
import { KEYS, seedFor } from '../../support/seed.ts';
import { type MoneyRequestWebhook, type Partner, startPartner } from '../atomic-calls.ts';
import { fillOperations } from '../list-fill.ts';
import type { Stand } from '../stand.ts';
import { type Scene as Followed, openScene as openFollowed } from '../subscriptions/scene.ts';

/**
 * The partners, all with the rights of acme: acme has the dashboards and the live subscribers; the receiver of `slow` takes a
 * second, that of `dead` never answers; `swift` is beside them.
 */
export const PARTNERS = ['acme', 'swift', 'slow', 'dead', 'pipeline', 'hostile'] as const;
export type PartnerName = (typeof PARTNERS)[number];

const SLOW_RECEIVER_MS = 1_000;
const CONNECTIONS = 128;
/** Operations beside those that the load makes: more than four days of them, as lists by day ask for. */
export const OPERATIONS = 6_000;
/** Operations that live subscribers follow. */
const WATCHED = 10;
/** Money requests that are looked up and updated. */
const MONEY_REQUESTS = 100;
const USERS = 500;

/** The work so far, as those know who asked for it. */
interface Done {
  /** Answered creates of each partner. */
  readonly created: Record<PartnerName, number>;
  /** Answered status updates of acme's money requests. */
  updated: number;
  /** Ids of deliveries that each partner's receiver has accepted. */
  readonly accepted: Readonly<Record<PartnerName, Set<string>>>;
  /** Deliveries of each partner that came again after they had been accepted. */
  readonly repeated: Record<PartnerName, number>;
  /** Answered atomic calls. */
  called: number;
  /** Answers of `/health/ready` that were 503. */
  unready: number;
}

/** A server with partners, their receivers and data enough for dashboards. */
export interface MixedScene extends Omit<Followed, 'operations' | 'stop'> {
  readonly exchange: Exchange;
  readonly partner: Partner;
  readonly done: Done;
  /** Money requests of acme. */
  readonly references: readonly string[];
  /** Operations of acme that subscribers follow. */
  readonly watched: readonly string[];
  /** Creates a money request of a partner. @throws when it is refused */
  create(partner: PartnerName, referenceId?: string): Promise<string>;
  /** Resolves when the partner has accepted the webhook of a money request. Ask before it can come. */
  delivered(referenceId: string): Promise<void>;
  close(): Promise<void>;
}

/** Webhooks that the changes of a partner's money requests make: one each. */
export function webhooksOf({ created, updated }: Done, name: PartnerName): number {
  return created[name] + (name === 'acme' ? updated : 0);
}

/** API key of a partner. */
export function keyOf(partner: PartnerName): string {
  return partner === 'acme' ? KEYS.acme : `raas_sandbox_mixed_${partner}`;
}

/** @throws unless the answer has this status */
export function expectStatus(status: number, answer: RawResponse): RawResponse {
  if (answer.status !== status) {
    throw new Error(
      `A call was answered ${answer.status} in place of ${status}: ${answer.text.slice(0, 300)}`,
    );
  }
  return answer;
}

/**
 * Starts a server with its partners, and makes the data that all paths need.
 * @param subscribers for whom there are keys
 * @param env more settings of the server
 */
export async function openMixed(
  stand: Stand,
  subscribers: number,
  env: Readonly<Record<string, string>> = {},
): Promise<MixedScene> {
  const done = nothingDone();
  const waiting = new Map<string, () => void>();
  const partner = await startPartner((webhook) => receive(webhook, done, waiting));
  const more = {
    ...partner.env,
    ...{ WEBHOOK_NUDGE: 'true', WEBHOOK_SWEEP_SECONDS: '30' },
    // Of `.env.example`: the limits that protect the others from the hostile partner.
    ...{ RATE_LIMIT_GRAPHQL: '600000', RATE_LIMIT_REMITTANCE: '600000' },
    ...env,
  };
  const followed = await openFollowed(stand, subscribers, more, seedOf(partner.url));
  const { exchange, close } = exchangeOver(followed.server.url);
  const references: string[] = [];
  const scene: MixedScene = {
    ...followed,
    ...{ exchange, partner, done, references },
    watched: await followed.operations(WATCHED),
    create: (name, referenceId = newReference()) => create(exchange, done, name, referenceId),
    delivered: (referenceId) => new Promise((resolve) => waiting.set(referenceId, resolve)),
    close: async () => {
      await close();
      await followed.stop();
      await partner.close();
    },
  };
  try {
    const box = keyringOf({
      ENCRYPTION_KEY: String(followed.env.ENCRYPTION_KEY),
      ENCRYPTION_KEY_PREVIOUS: [],
    });
    const { connection } = followed;
    await fillOperations({ name: connection.name, uri: '', connection }, box.box('fields'), OPERATIONS);
    while (references.length < MONEY_REQUESTS) {
      references.push(await scene.create('acme'));
    }
    return scene;
  } catch (error) {
    await scene.close();
    throw error;
  }
}

function nothingDone(): Done {
  const each = <Value>(make: () => Value) =>
    Object.fromEntries(PARTNERS.map((name) => [name, make()])) as Record<PartnerName, Value>;
  return {
    created: each(() => 0),
    updated: 0,
    accepted: each(() => new Set<string>()),
    repeated: each(() => 0),
    called: 0,
    unready: 0,
  };
}

async function receive(
  { path, deliveryId, referenceId }: MoneyRequestWebhook,
  done: Done,
  waiting: Map<string, () => void>,
): Promise<void> {
  const name = PARTNERS.find((one) => path === `/${one}`);
  if (name === undefined) {
    throw new Error(`A webhook came to ${path}`);
  }
  if (name === 'dead') {
    return new Promise(() => undefined);
  }
  if (name === 'slow') {
    await delay(SLOW_RECEIVER_MS);
  }
  done.repeated[name] += done.accepted[name].has(deliveryId) ? 1 : 0;
  done.accepted[name].add(deliveryId);
  waiting.get(referenceId)?.();
  waiting.delete(referenceId);
}

/** Acme of the tests' seed, and others like it. */
function seedOf(url: string): object {
  const seed = seedFor(url) as { tenants: { apiKeys: object[] }[] };
  const [acme] = seed.tenants;
  const tenants = PARTNERS.map((name) => ({
    ...acme,
    ...{ tenantId: name, name, webhookUrl: `${url}/${name}` },
    ...(name !== 'acme' && {
      apiKeys: [{ key: keyOf(name), scopes: ['partner', 'partner_full', 'partner_admin'], label: name }],
    }),
  }));
  return { ...seed, tenants };
}

async function create(
  exchange: Exchange,
  done: Done,
  name: PartnerName,
  referenceId: string,
): Promise<string> {
  const { requestData } = moneyRequestBody(referenceId);
  const userReferenceId = `mixed-${done.created[name] % USERS}`;
  const body = moneyRequestBody(referenceId, { requestData: { ...requestData, userReferenceId } });
  const key = keyOf(name);
  expectStatus(201, await createMoneyRequest(exchange, body, { key, idempotencyKey: referenceId }));
  done.created[name] += 1;
  return referenceId;
}

/** Sends requests over connections that are kept. */
function exchangeOver(url: string): { readonly exchange: Exchange; close(): Promise<void> } {
  const pool = new Pool(url, { connections: CONNECTIONS });
  return {
    exchange: async ({ method, path, headers = {}, body = null }) => {
      const answer = await pool.request({ method, path, headers, body });
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      const flat = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
      const text = bytes.toString();
      return { status: answer.statusCode, headers: Object.fromEntries(flat), body: bytes, text };
    },
    close: () => pool.destroy(),
  };
}
