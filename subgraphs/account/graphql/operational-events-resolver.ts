import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { authorize } from '../../graph/authorize.ts';
import { RequiresAllScopes } from '../../graph/requires-scopes.ts';
import { toUserErrors } from '../../graph/user-error.type.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import type { OperationalEventsConfig as StoredConfig } from '../../partners/tenants/operational-events.ts';
import type { FourEyes } from '../use-cases/four-eyes.ts';
import type { OperationalEventsService } from '../use-cases/operational-events.ts';
import { presentApproval } from './approval.type.ts';
import {
  OperationalEventsConfig,
  UpdateOperationalEventsConfigInput,
  UpdateOperationalEventsConfigPayload,
} from './operational-events.type.ts';

@Resolver()
export class OperationalEventsResolver {
  constructor(
    private readonly events: Pick<OperationalEventsService, 'find' | 'hasMail'>,
    private readonly fourEyes: Pick<FourEyes, 'perform'>,
  ) {}

  @RequiresAllScopes('partner', 'partner_admin')
  @Query(() => OperationalEventsConfig, {
    description:
      'Receivers of operational events: an endpoint fails or recovers, webhooks are dead-lettered, a key expires, remittances are stuck, a limit is nearly used up.',
  })
  async operationalEventsConfig(@Ctx() context: RequestContext): Promise<OperationalEventsConfig> {
    return this.#present(await this.events.find(authorize(context).accountId));
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => UpdateOperationalEventsConfigPayload, {
    description:
      'Changes the receivers of operational events in the environment of the API key. Their webhooks are signed like those to the first endpoint, with its secret and scheme. Fails with INVALID_REQUEST for each invalid value.',
  })
  async updateOperationalEventsConfig(
    @Arg('input', () => UpdateOperationalEventsConfigInput, { description: 'The changes.' })
    input: UpdateOperationalEventsConfigInput,
    @Ctx() context: RequestContext,
  ): Promise<UpdateOperationalEventsConfigPayload> {
    const updated = await this.fourEyes.perform(authorize(context), 'updateOperationalEventsConfig', input);
    const nothing = { operationalEventsConfig: null };
    if (!updated.ok) {
      return { ...nothing, userErrors: toUserErrors(updated.failures) };
    }
    const { done, pendingApproval } = updated.value;
    return done
      ? { operationalEventsConfig: this.#present(done), userErrors: [] }
      : { ...nothing, pendingApproval: presentApproval(pendingApproval), userErrors: [] };
  }

  #present({ url, emails, quietHours, timeZone }: StoredConfig): OperationalEventsConfig {
    return {
      ...{ url: url ?? null, emails, timeZone },
      quietHours: quietHours ?? null,
      sendsMail: this.events.hasMail,
    };
  }
}
