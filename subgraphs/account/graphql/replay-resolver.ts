import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { authorize } from '../../graph/authorize.ts';
import { RequiresAllScopes, RequiresScopes } from '../../graph/requires-scopes.ts';
import { toUserErrors } from '../../graph/user-error.type.ts';
import type { AccountId } from '../../kernel/account.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import type { BulkReplay, BulkReplayInput, BulkReplays } from '../../webhooks/bulk-replay.ts';
import type { PartnerEndpoints } from '../../webhooks/partner-endpoints.ts';
import type { FourEyes } from '../use-cases/four-eyes.ts';
import { presentApproval } from './approval.type.ts';
import {
  ReplayWebhookDeliveriesInput,
  StopWebhookReplayInput,
  WebhookReplay,
  WebhookReplayPayload,
  WebhookReplayState,
} from './replay.type.ts';

interface WebhookReplayDeps {
  replays: BulkReplays;
  endpoints: Pick<PartnerEndpoints, 'find'>;
  fourEyes: Pick<FourEyes, 'perform'>;
}

@Resolver()
export class WebhookReplayResolver {
  constructor(private readonly deps: WebhookReplayDeps) {}

  @RequiresScopes('partner')
  @Query(() => WebhookReplay, {
    nullable: true,
    description: "The partner's bulk replay with this id; null if there is none.",
  })
  async webhookReplay(
    @Arg('id', () => ID, { description: 'Id of the replay.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<WebhookReplay | null> {
    const { accountId } = authorize(context);
    const found = await this.deps.replays.find(accountId, id);
    return found ? present(found) : null;
  }

  @RequiresScopes('partner')
  @Query(() => [WebhookReplay], { description: "The partner's 20 newest bulk replays, newest first." })
  async webhookReplays(@Ctx() context: RequestContext): Promise<WebhookReplay[]> {
    const { accountId } = authorize(context);
    return (await this.deps.replays.list(accountId)).map(present);
  }

  @RequiresAllScopes('partner', 'partner_webhooks')
  @Mutation(() => WebhookReplayPayload, {
    description:
      'Sends all matching webhooks again in the background, oldest first, each in the same way as replayWebhookDelivery. With toCurrentUrl, webhooks that were made for a former URL of an endpoint are sent to its current URL. A partner can run one bulk replay at a time.',
  })
  async replayWebhookDeliveries(
    @Arg('input', () => ReplayWebhookDeliveriesInput, { description: 'Which webhooks.' })
    input: ReplayWebhookDeliveriesInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookReplayPayload> {
    const principal = authorize(context);
    const { accountId } = principal;
    const { replays, fourEyes } = this.deps;
    const read = await this.#read(accountId, input);
    if (!read.ok) {
      return presentFailure(read);
    }
    if (input.dryRun) {
      const counted = await replays.count(accountId, read.value);
      return counted.ok
        ? { webhookReplay: null, found: counted.value, userErrors: [] }
        : presentFailure(counted);
    }
    const started = await fourEyes.perform(principal, 'replayWebhookDeliveries', read.value);
    if (!started.ok) {
      return presentFailure(started);
    }
    const { done, pendingApproval } = started.value;
    return done
      ? answer(succeed(done))
      : {
          ...{ webhookReplay: null, found: null, userErrors: [] },
          pendingApproval: presentApproval(pendingApproval),
        };
  }

  @RequiresAllScopes('partner', 'partner_webhooks')
  @Mutation(() => WebhookReplayPayload, {
    description: 'Stops a bulk replay. Webhooks that it has already sent again are not affected.',
  })
  async stopWebhookReplay(
    @Arg('input', () => StopWebhookReplayInput, { description: 'The replay.' })
    { id }: StopWebhookReplayInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookReplayPayload> {
    const { accountId } = authorize(context);
    return answer(await this.deps.replays.stop(accountId, id));
  }

  async #read(
    accountId: AccountId,
    { status, event, endpointId, toCurrentUrl, createdAt, limit }: ReplayWebhookDeliveriesInput,
  ): Promise<Result<BulkReplayInput>> {
    const filter = { status, event, limit, from: createdAt?.gte, before: createdAt?.lt };
    if (endpointId == null) {
      return toCurrentUrl
        ? fail('INVALID_REQUEST', 'toCurrentUrl requires endpointId', ['endpointId'])
        : succeed(filter);
    }
    const found = await this.deps.endpoints.find(accountId, endpointId);
    if (!found.ok) {
      return found;
    }
    const { id, endpoint } = found.value;
    return succeed({ ...filter, ...(toCurrentUrl ? { toCurrentUrlOf: id } : { endpoint }) });
  }
}

function answer(result: Result<BulkReplay>): WebhookReplayPayload {
  return result.ok
    ? { webhookReplay: present(result.value), found: result.value.found, userErrors: [] }
    : presentFailure(result);
}

function presentFailure({ failures }: Extract<Result<unknown>, { ok: false }>): WebhookReplayPayload {
  return { webhookReplay: null, found: null, userErrors: toUserErrors(failures) };
}

function present({ state, ...replay }: BulkReplay): WebhookReplay {
  return { ...replay, state: WebhookReplayState[state] };
}
