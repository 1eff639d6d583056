import { Arg, Ctx, Directive, ID, Mutation, Resolver } from 'type-graphql';
import { authorize } from '../../platform/graphql/authorize.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { toUserErrors } from '../../platform/graphql/user-error.type.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import type { RequestContext } from '../../platform/principal.ts';
import type { InternalLinkService } from '../service.ts';
import { dataRequestPayload, linkPayload } from './mutations.ts';
import { OpenLinkPayload, RaiseDataRequestPayload, UpdateCipPayload } from './payloads.ts';
import { type PresentLink, presentIdentity } from './presenter.ts';

/** What the platform's own back end asks, hidden from clients; refusals are those of document 2's surface. */
@Resolver()
export class InternalLinkResolver {
  readonly #links: InternalLinkService;
  readonly #present: PresentLink;

  constructor({ links, present }: { links: InternalLinkService; present: PresentLink }) {
    this.#links = links;
    this.#present = present;
  }

  @RequiresScopes('internal')
  @Mutation(() => OpenLinkPayload, { description: 'POST /v1/internal/links/{linkId}/open.' })
  @Directive('@inaccessible')
  async openLink(
    @Arg('linkId', () => ID, { description: 'The link of the path.' }) linkId: string,
    @Ctx() context: RequestContext,
  ): Promise<OpenLinkPayload> {
    authorize(context, 'internal');
    return linkPayload(await this.#links.open(linkId), this.#present);
  }

  @RequiresScopes('internal')
  @Mutation(() => RaiseDataRequestPayload, {
    description: 'POST /v1/internal/data-requests: the body as it was sent.',
  })
  @Directive('@inaccessible')
  async raiseDataRequestFromJson(
    @Arg('body', () => String, { description: 'The JSON text of the request.' }) body: string,
    @Ctx() context: RequestContext,
  ): Promise<RaiseDataRequestPayload> {
    authorize(context, 'internal');
    return dataRequestPayload(await this.#links.raise(parseJson(body)?.value));
  }

  @RequiresScopes('internal')
  @Mutation(() => UpdateCipPayload, {
    description: 'PATCH /v1/internal/users/{userId}/cip: the body as it was sent.',
  })
  @Directive('@inaccessible')
  async updateCipFromJson(
    @Arg('userId', () => ID, { description: 'The user of the path.' }) userId: string,
    @Arg('body', () => String, { description: 'The JSON text of the request.' }) body: string,
    @Ctx() context: RequestContext,
  ): Promise<UpdateCipPayload> {
    authorize(context, 'internal');
    const updated = await this.#links.updateCip(userId, parseJson(body)?.value);
    return updated.ok
      ? { identity: presentIdentity(updated.value), userErrors: [] }
      : { identity: null, userErrors: toUserErrors(updated.failures) };
  }
}
