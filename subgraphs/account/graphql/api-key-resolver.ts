import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { authorize, authorizeKeyMaker } from '../../graph/authorize.ts';
import { RequiresAllScopes } from '../../graph/requires-scopes.ts';
import { toUserErrors } from '../../graph/user-error.type.ts';
import { environmentOf } from '../../kernel/account.ts';
import type { Principal, RequestContext } from '../../kernel/principal.ts';
import type { PartnerKeys } from '../../partners/keys/partner-keys.ts';
import type { ApiKey as KeyRecord } from '../../partners/keys/record.ts';
import type { FourEyes } from '../use-cases/four-eyes.ts';
import {
  ApiKey,
  CreateApiKeyInput,
  CreateApiKeyPayload,
  RevokeApiKeyInput,
  RevokeApiKeyPayload,
  RotateApiKeyInput,
  RotateApiKeyPayload,
} from './api-key.type.ts';
import { presentApproval } from './approval.type.ts';
import { PartnerEnvironment } from './partner.type.ts';

interface ApiKeyDeps {
  readonly keys: Pick<PartnerKeys, 'list' | 'revoke'>;
  readonly fourEyes: Pick<FourEyes, 'perform'>;
}

@Resolver()
export class ApiKeyResolver {
  constructor(private readonly deps: ApiKeyDeps) {}

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
    return (await this.deps.keys.list(principal, includeEnded)).map((key) => present(key, principal));
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => CreateApiKeyPayload, {
    description:
      "Creates an API key in the environment of the calling key, with scopes that the calling key has. A partner can have 100 keys in each environment, not counting replaced keys. A key that is created in a console session ends when the API key of that session ends. Fails with FORBIDDEN in a session that an operator's link or a company account opened.",
  })
  async createApiKey(
    @Arg('input', () => CreateApiKeyInput, { description: 'The key.' }) input: CreateApiKeyInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateApiKeyPayload> {
    const principal = authorizeKeyMaker(context);
    const made = await this.deps.fourEyes.perform(principal, 'createApiKey', input);
    if (!made.ok) {
      return { apiKey: null, key: null, userErrors: toUserErrors(made.failures) };
    }
    const { done, pendingApproval } = made.value;
    return done
      ? { apiKey: present(done.apiKey, principal), key: done.key, userErrors: [] }
      : { apiKey: null, key: null, pendingApproval: presentApproval(pendingApproval), userErrors: [] };
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => RotateApiKeyPayload, {
    description:
      "Replaces an API key with a new key that has the same scopes and label. The old key ends after the overlap; its open connections are closed within 5 seconds after that. At most 100 replaced keys can be in their overlap at once. A key can be replaced only once: if the answer is lost, create another key with createApiKey. In a console session, the new key also ends when the API key of the session ends, and that key itself cannot be replaced (API_KEY_IN_USE). Fails with FORBIDDEN in a session that an operator's link or a company account opened.",
  })
  async rotateApiKey(
    @Arg('input', () => RotateApiKeyInput, { description: 'The key to replace, and the overlap.' })
    { id, overlapMinutes }: RotateApiKeyInput,
    @Ctx() context: RequestContext,
  ): Promise<RotateApiKeyPayload> {
    const principal = authorizeKeyMaker(context);
    const act = { id, overlapMinutes };
    const rotated = await this.deps.fourEyes.perform(principal, 'rotateApiKey', act);
    const nothing = { apiKey: null, key: null, formerApiKey: null };
    if (!rotated.ok) {
      return { ...nothing, userErrors: toUserErrors(rotated.failures) };
    }
    const { done, pendingApproval } = rotated.value;
    if (!done) {
      return { ...nothing, pendingApproval: presentApproval(pendingApproval), userErrors: [] };
    }
    const { key, apiKey, former } = done;
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
    const revoked = await this.deps.keys.revoke(principal, id);
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
