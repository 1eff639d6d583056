import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { authorize } from '../../graph/authorize.ts';
import { RequiresAllScopes, RequiresScopes } from '../../graph/requires-scopes.ts';
import { inSandboxOnly } from '../../graph/sandbox-only.ts';
import { toUserErrors } from '../../graph/user-error.type.ts';
import { environmentOf } from '../../kernel/account.ts';
import type { Result } from '../../kernel/errors/result.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import type { Sandboxes, Sandbox as SandboxView } from '../../partners/sandboxes/sandboxes.ts';
import { AdvanceSandboxClockInput, Sandbox, SandboxPayload, SandboxResetState } from './sandbox.type.ts';

@Resolver()
export class SandboxResolver {
  constructor(private readonly sandboxes: Sandboxes) {}

  @RequiresScopes('partner')
  @Query(() => Sandbox, {
    nullable: true,
    description: "The partner's sandbox: its clock and its last reset; null for a live key.",
  })
  async sandbox(@Ctx() context: RequestContext): Promise<Sandbox | null> {
    const { accountId } = authorize(context);
    return environmentOf(accountId) === 'sandbox' ? present(await this.sandboxes.find(accountId)) : null;
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => SandboxPayload, {
    description:
      'Sandbox only: sets the clock of the sandbox ahead. Requests and links expire (within 60 seconds), webhooks are retried and old webhooks are removed as if the time had passed, and new records have timestamps of the new time. API keys, sessions, signatures of webhooks and attempts at providers follow the real time. Only resetSandbox sets the clock back. Fails with SANDBOX_ONLY for a live key, with SANDBOX_RESET_RUNNING during a reset.',
  })
  async advanceSandboxClock(
    @Arg('input', () => AdvanceSandboxClockInput, { description: 'How far.' })
    { seconds }: AdvanceSandboxClockInput,
    @Ctx() context: RequestContext,
  ): Promise<SandboxPayload> {
    const principal = authorize(context);
    return answer(
      await inSandboxOnly(principal, () => this.sandboxes.advanceClock(principal.accountId, seconds)),
    );
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => SandboxPayload, {
    description:
      'Sandbox only: removes all records of the sandbox in the background, such as users, requests, operations, webhooks, events and the request log, and then sets its clock to the real time. API keys, the webhook configuration and endpoints stay. While a reset is running, the call has no effect. Fails with SANDBOX_ONLY for a live key.',
  })
  async resetSandbox(@Ctx() context: RequestContext): Promise<SandboxPayload> {
    const principal = authorize(context);
    return answer(await inSandboxOnly(principal, () => this.sandboxes.reset(principal.accountId)));
  }
}

function answer(result: Result<SandboxView>): SandboxPayload {
  return result.ok
    ? { sandbox: present(result.value), userErrors: [] }
    : { sandbox: null, userErrors: toUserErrors(result.failures) };
}

function present({ clockAheadSeconds, now, reset }: SandboxView): Sandbox {
  return {
    clockAheadSeconds,
    now,
    reset: reset
      ? { ...reset, state: SandboxResetState[reset.state], finishedAt: reset.finishedAt ?? null }
      : null,
  };
}
