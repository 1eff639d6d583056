import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { authorize, authorizeKeyMaker } from '../../graph/authorize.ts';
import { RequiresAllScopes } from '../../graph/requires-scopes.ts';
import { toUserErrors } from '../../graph/user-error.type.ts';
import { environmentOf } from '../../kernel/account.ts';
import type { Principal, RequestContext } from '../../kernel/principal.ts';
import type { PartnerKeys } from '../../partners/keys/partner-keys.ts';
import type { ApiKey as KeyRecord } from '../../partners/keys/record.ts';
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
  constructor(private readonly keys: PartnerKeys) {}

  @RequiresAllScopes('partner', 'partner_admin')
  @Query(() => [ApiKey], {
    description: "The partner's API keys in the environment of the calling key, newest first; at most 200.",
  })
  async apiKeys(
    @Arg('includeEnded', () => Boolean, {
      description: 'Whether to include keys that have ended.',
      defaultValue: false,
    })
    includeEnded: boolean,
    @Ctx() context: RequestContext,
  ): Promise<ApiKey[]> {
    const principal = authorize(context);
    return (await this.keys.list(principal, includeEnded)).map((key) => present(key, principal));
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => CreateApiKeyPayload, {
    description:
      "Creates an API key in the environment of the calling key, with scopes that the calling key has. A partner can have 100 keys in each environment, not counting replaced keys. A key that is created in a console session ends when the API key of that session ends. Fails in a session that an operator's link opened.",
  })
  async createApiKey(
    @Arg('input', () => CreateApiKeyInput, { description: 'The key.' }) input: CreateApiKeyInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateApiKeyPayload> {
    const principal = authorizeKeyMaker(context);
    const made = await this.keys.create(principal, input);
    return made.ok
      ? { apiKey: present(made.value.apiKey, principal), key: made.value.key, userErrors: [] }
      : { apiKey: null, key: null, userErrors: toUserErrors(made.failures) };
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => RotateApiKeyPayload, {
    description:
      'Replaces an API key with a new key that has the same scopes and label. The old key ends after the overlap; its open connections are closed within 5 seconds after that. At most 100 replaced keys can be in their overlap at once. A key can be replaced only once: if the answer is lost, create another key with createApiKey. In a console session, the new key also ends when the API key of the session ends, and that key itself cannot be replaced (API_KEY_IN_USE).',
  })
  async rotateApiKey(
    @Arg('input', () => RotateApiKeyInput, { description: 'The key to replace, and the overlap.' })
    { id, overlapMinutes }: RotateApiKeyInput,
    @Ctx() context: RequestContext,
  ): Promise<RotateApiKeyPayload> {
    const principal = authorizeKeyMaker(context);
    const rotated = await this.keys.rotate(principal, id, overlapMinutes);
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
      'Revokes an API key, with its browser tokens, its console sessions, and the keys that end with it. Within 5 seconds, their open connections are closed. A key cannot revoke itself. Repeating the call has no effect.',
  })
  async revokeApiKey(
    @Arg('input', () => RevokeApiKeyInput, { description: 'The key.' }) { id }: RevokeApiKeyInput,
    @Ctx() context: RequestContext,
  ): Promise<RevokeApiKeyPayload> {
    const principal = authorize(context);
    const revoked = await this.keys.revoke(principal, id);
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
    environment: ENVIRONMENTS[environmentOf(principal.accountId)],
    scopes,
    label,
    createdAt,
    lastUsedAt: lastUsedAt ?? null,
    endsWithIds: [...(endsWith ?? [])],
    endsAt: endsAt ?? null,
    revokedAt: revokedAt ?? null,
  };
}
