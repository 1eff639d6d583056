import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver } from 'type-graphql';
import { authorize } from '../../graph/authorize.ts';
import { RequiresAllScopes } from '../../graph/requires-scopes.ts';
import { toUserErrors } from '../../graph/user-error.type.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import type { Approvals } from '../../partners/approvals/approvals.ts';
import type { FourEyesAct as Act } from '../../partners/tenants/four-eyes.ts';
import type { Tenants } from '../../partners/tenants/service.ts';
import type { FourEyes } from '../use-cases/four-eyes.ts';
import {
  Approval,
  ApprovalInput,
  ApprovalStatus,
  ApprovePayload,
  FourEyesAct,
  presentApproval,
  RejectApprovalPayload,
} from './approval.type.ts';
import { Partner } from './partner.type.ts';

interface ApprovalDeps {
  readonly approvals: Pick<Approvals, 'list' | 'reject'>;
  readonly fourEyes: Pick<FourEyes, 'approve'>;
  readonly tenants: Pick<Tenants, 'find'>;
}

@Resolver(() => Partner)
export class ApprovalResolver {
  constructor(private readonly deps: ApprovalDeps) {}

  @FieldResolver(() => [FourEyesAct], {
    description:
      'Acts in console sessions that need the approval of an administrator, who must be another person; none by default. The operator of the service sets them. With an API key, these acts fail with FORBIDDEN.',
  })
  async fourEyes(@Ctx() context: RequestContext): Promise<readonly Act[]> {
    const { accountId } = authorize(context);
    return (await this.deps.tenants.find(accountId))?.fourEyes ?? [];
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Query(() => [Approval], {
    description:
      'Requests for approval in the environment of the caller: of the newest 100, those in one of the statuses, newest first. They are kept for 30 days.',
  })
  async approvals(
    @Arg('status', () => [ApprovalStatus], {
      nullable: true,
      description: 'Only requests in one of these statuses; all when absent.',
    })
    status: readonly Approval['status'][] | null | undefined,
    @Ctx() context: RequestContext,
  ): Promise<Approval[]> {
    const { accountId } = authorize(context);
    const found = await this.deps.approvals.list(accountId);
    return found.filter((one) => status == null || status.includes(one.status)).map(presentApproval);
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => ApprovePayload, {
    description:
      "Approves a request of another person and makes the change, once. Only a console session with a label can approve: not one of the person who asked, not one that comes from a key which the asking session made, and not one that an operator's link opened. A session of a company account cannot approve a new API key. If the change fails, the request stays open.",
  })
  async approve(
    @Arg('input', () => ApprovalInput, { description: 'The request.' }) { id }: ApprovalInput,
    @Ctx() context: RequestContext,
  ): Promise<ApprovePayload> {
    const approved = await this.deps.fourEyes.approve(authorize(context), id);
    if (!approved.ok) {
      return { approval: null, key: null, webhookSecret: null, userErrors: toUserErrors(approved.failures) };
    }
    const { approval, key, webhookSecret } = approved.value;
    return { approval: presentApproval(approval), key, webhookSecret, userErrors: [] };
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => RejectApprovalPayload, {
    description:
      "Rejects a request, so that the change is never made. An administrator can also withdraw their own request with it. Only a console session with a label can reject, and not one that an operator's link opened.",
  })
  async rejectApproval(
    @Arg('input', () => ApprovalInput, { description: 'The request.' }) { id }: ApprovalInput,
    @Ctx() context: RequestContext,
  ): Promise<RejectApprovalPayload> {
    const rejected = await this.deps.approvals.reject(authorize(context), id);
    return rejected.ok
      ? { approval: presentApproval(rejected.value), userErrors: [] }
      : { approval: null, userErrors: toUserErrors(rejected.failures) };
  }
}
