import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { authorize, authorizeKeyMaker } from '../../platform/graphql/authorize.ts';
import { RequiresAllScopes } from '../../platform/graphql/requires-scopes.ts';
import { toUserErrors } from '../../platform/graphql/user-error.type.ts';
import type { PartnerKeys } from '../../platform/keys/partner-keys.ts';
import type { ApiKey as KeyRecord } from '../../platform/keys/record.ts';
import type { Principal, RequestContext } from '../../platform/principal.ts';
import {
  ApiKey,
  CreateApiKeyInput,
  CreateApiKeyPayload,
  RevokeApiKeyInput,
  RevokeApiKeyPayload,
  RotateApiKeyInput,
  RotateApiKeyPayload,
} from './api-key.type.ts';
import { PartnerEnvironment } from './partner.type.ts';

@Resolver()
export class ApiKeyResolver {
  readonly #keys: PartnerKeys;

  constructor(keys: PartnerKeys) {
    this.#keys = keys;
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Query(() => [ApiKey], {
    description: "The partner's 200 newest API keys of the calling key's environment, newest first.",
  })
  async apiKeys(
    @Arg('includeEnded', () => Boolean, {
      description: 'Whether those that have ended are listed too.',
      defaultValue: false,
    })
    includeEnded: boolean,
    @Ctx() context: RequestContext,
  ): Promise<ApiKey[]> {
    const principal = authorize(context);
    return (await this.#keys.list(principal, includeEnded)).map((key) => present(key, principal));
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => CreateApiKeyPayload, {
    description:
      "Makes an API key of the same environment as the calling key, with scopes that the calling key has. A partner has at most 100 of an environment, replaced keys aside. Made in a console session, the key ends with the key that the session was made from; a session of an operator's link makes none.",
  })
  async createApiKey(
    @Arg('input', () => CreateApiKeyInput, { description: 'The key.' }) input: CreateApiKeyInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateApiKeyPayload> {
    const principal = authorizeKeyMaker(context);
    const made = await this.#keys.create(principal, input);
    return made.ok
      ? { apiKey: present(made.value.apiKey, principal), key: made.value.key, userErrors: [] }
      : { apiKey: null, key: null, userErrors: toUserErrors(made.failures) };
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => RotateApiKeyPayload, {
    description:
      'Makes a successor of an API key, with its scopes and label; the key ends after the overlap, and what it has open within 5 seconds after that. At most 100 replaced keys work at once. If the answer is lost, make another key by createApiKey: a key is replaced once. In a console session, the successor also ends with the key that the session was made from, and that key itself is not replaced (API_KEY_IN_USE).',
  })
  async rotateApiKey(
    @Arg('input', () => RotateApiKeyInput, { description: 'The key, and its overlap.' })
    { id, overlapMinutes }: RotateApiKeyInput,
    @Ctx() context: RequestContext,
  ): Promise<RotateApiKeyPayload> {
    const principal = authorizeKeyMaker(context);
    const rotated = await this.#keys.rotate(principal, id, overlapMinutes);
    if (!rotated.ok) {
      return { apiKey: null, key: null, formerApiKey: null, userErrors: toUserErrors(rotated.failures) };
    }
    const { key, apiKey, former } = rotated.value;
    return {
      key,
      apiKey: present(apiKey, principal),
      formerApiKey: present(former, principal),
      userErrors: [],
    };
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => RevokeApiKeyPayload, {
    description:
      'Ends an API key, its browser tokens and console sessions, the keys that end with it, and what they have open, within 5 seconds. A key does not end itself. Repeating the call has no effect.',
  })
  async revokeApiKey(
    @Arg('input', () => RevokeApiKeyInput, { description: 'The key.' }) { id }: RevokeApiKeyInput,
    @Ctx() context: RequestContext,
  ): Promise<RevokeApiKeyPayload> {
    const principal = authorize(context);
    const revoked = await this.#keys.revoke(principal, id);
    return revoked.ok
      ? { apiKey: present(revoked.value, principal), userErrors: [] }
      : { apiKey: null, userErrors: toUserErrors(revoked.failures) };
  }
}

const ENVIRONMENTS = { sandbox: PartnerEnvironment.SANDBOX, live: PartnerEnvironment.LIVE } as const;

/** A caller sees keys of its own environment only. */
function present(
  { keyId: id, prefix, scopes, label, createdAt, lastUsedAt, endsWith, endsAt, revokedAt }: KeyRecord,
  principal: Principal,
): ApiKey {
  return {
    id,
    prefix,
    environment: ENVIRONMENTS[principal.environment],
    scopes,
    label,
    createdAt,
    lastUsedAt: lastUsedAt ?? null,
    endsWithIds: [...(endsWith ?? [])],
    endsAt: endsAt ?? null,
    revokedAt: revokedAt ?? null,
  };
}
