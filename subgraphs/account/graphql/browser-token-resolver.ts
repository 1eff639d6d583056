import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { authorize, authorizeKey } from '../../platform/graphql/authorize.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { toUserErrors } from '../../platform/graphql/user-error.type.ts';
import type { BrowserTokens, BrowserToken as TokenRecord } from '../../platform/keys/browser-tokens.ts';
import type { RequestContext } from '../../platform/principal.ts';
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
  readonly #tokens: Pick<BrowserTokens, 'create' | 'revoke'>;

  constructor(tokens: Pick<BrowserTokens, 'create' | 'revoke'>) {
    this.#tokens = tokens;
  }

  @RequiresScopes('partner')
  @Mutation(() => CreateBrowserTokenPayload, {
    description:
      'Makes a short-lived token for a web page: it runs queries and subscriptions of this partner as the API key does, and no mutations. Calls with it count to the key, and it ends with the key. A console session makes none.',
  })
  async createBrowserToken(
    @Arg('input', () => CreateBrowserTokenInput, { description: 'What the token is for.' })
    input: CreateBrowserTokenInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateBrowserTokenPayload> {
    const made = await createBrowserToken(this.#tokens, authorizeKey(context), input);
    return made.ok
      ? { browserToken: present(made.value.browserToken), token: made.value.token, userErrors: [] }
      : { browserToken: null, token: null, userErrors: toUserErrors(made.failures) };
  }

  @RequiresScopes('partner')
  @Mutation(() => RevokeBrowserTokenPayload, {
    description:
      'Ends a browser token of the partner, and what it has open, within 5 seconds. Again: nothing changes.',
  })
  async revokeBrowserToken(
    @Arg('input', () => RevokeBrowserTokenInput, { description: 'The token.' })
    { id }: RevokeBrowserTokenInput,
    @Ctx() context: RequestContext,
  ): Promise<RevokeBrowserTokenPayload> {
    const revoked = await this.#tokens.revoke(authorize(context), id);
    return revoked.ok
      ? { browserToken: present(revoked.value), userErrors: [] }
      : { browserToken: null, userErrors: toUserErrors(revoked.failures) };
  }
}

function present({ tokenId: id, revokedAt, ...token }: TokenRecord): BrowserToken {
  return { id, ...token, revokedAt: revokedAt ?? null };
}
