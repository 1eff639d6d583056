import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { authorize, authorizeKey } from '../../graph/authorize.ts';
import { RequiresAllScopes } from '../../graph/requires-scopes.ts';
import { toUserErrors } from '../../graph/user-error.type.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import type { BrowserTokens, BrowserToken as TokenRecord } from '../../partners/keys/browser-tokens.ts';
import { createBrowserToken } from '../use-cases/create-browser-token.ts';
import {
  type BrowserToken,
  CreateBrowserTokenInput,
  CreateBrowserTokenPayload,
  RevokeBrowserTokenInput,
  RevokeBrowserTokenPayload,
} from './browser-token.type.ts';

@Resolver()
export class BrowserTokenResolver {
  constructor(private readonly tokens: Pick<BrowserTokens, 'create' | 'revoke'>) {}

  @RequiresAllScopes('partner', 'partner_write')
  @Mutation(() => CreateBrowserTokenPayload, {
    description:
      "Creates a short-lived token for a web page. The token can run the partner's queries and subscriptions, but no mutations. Its calls count toward the limits of the API key that created it, and it ends when that key ends. Fails in a console session.",
  })
  async createBrowserToken(
    @Arg('input', () => CreateBrowserTokenInput, { description: 'Scopes and life of the token.' })
    input: CreateBrowserTokenInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateBrowserTokenPayload> {
    const made = await createBrowserToken(this.tokens, authorizeKey(context), input);
    return made.ok
      ? { browserToken: present(made.value.browserToken), token: made.value.token, userErrors: [] }
      : { browserToken: null, token: null, userErrors: toUserErrors(made.failures) };
  }

  @RequiresAllScopes('partner', 'partner_write')
  @Mutation(() => RevokeBrowserTokenPayload, {
    description:
      'Revokes a browser token, and closes its open connections, within 5 seconds. Repeating the call has no effect.',
  })
  async revokeBrowserToken(
    @Arg('input', () => RevokeBrowserTokenInput, { description: 'The token.' })
    { id }: RevokeBrowserTokenInput,
    @Ctx() context: RequestContext,
  ): Promise<RevokeBrowserTokenPayload> {
    const revoked = await this.tokens.revoke(authorize(context), id);
    return revoked.ok
      ? { browserToken: present(revoked.value), userErrors: [] }
      : { browserToken: null, userErrors: toUserErrors(revoked.failures) };
  }
}

function present({ tokenId: id, revokedAt, ...token }: TokenRecord): BrowserToken {
  return { id, ...token, revokedAt: revokedAt ?? null };
}
