import type { FastifyInstance } from 'fastify';
import { type AccountId, accountOf, ENVIRONMENTS } from '../../subgraphs/kernel/account.ts';
import { isOneOf } from '../../subgraphs/kernel/objects.ts';
import { TENANT_ID } from '../../subgraphs/partners/tenants/seed.ts';
import type { PublicKey } from '../../subgraphs/webhooks/signing-key.ts';

/** Reads the keys that verify Ed25519 signatures of an account's webhooks; none for an unknown account. */
type ReadKeys = (accountId: AccountId) => Promise<readonly PublicKey[]>;

/** How long receivers may keep the keys. A rotation with an overlap lasts an hour or more. */
const CACHE_SECONDS = 60;

/**
 * `GET /.well-known/webhook-keys/{partnerId}/{environment}`: the public keys of an account as a JWK set (RFC 7517, RFC 8037),
 * without a key. Each account has a set of its own: with a set for all, a receiver would accept the webhooks of every partner. An
 * unknown partner has an empty set, like a partner without endpoints.
 */
export function addWebhookKeys(app: FastifyInstance, readKeys: ReadKeys): void {
  app.get<{ Params: { partnerId: string; environment: string } }>(
    '/.well-known/webhook-keys/:partnerId/:environment',
    async ({ params: { partnerId, environment } }, reply) => {
      if (!(isOneOf(ENVIRONMENTS, environment) && TENANT_ID.test(partnerId))) {
        return reply.callNotFound();
      }
      const keys = await readKeys(accountOf(partnerId, environment));
      // Endpoints with the same secret have the same key.
      const byId = new Map(keys.map((key) => [key.id, toJwk(key)]));
      return reply
        .header('content-type', 'application/jwk-set+json')
        .header('cache-control', `public, max-age=${CACHE_SECONDS}`)
        .send(Buffer.from(JSON.stringify({ keys: [...byId.values()] })));
    },
  );
}

function toJwk({ id, bytes }: PublicKey) {
  return { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url'), kid: id, use: 'sig', alg: 'EdDSA' };
}
