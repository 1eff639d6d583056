import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Resolver } from 'type-graphql';
import { authorizePlatform } from '../../graph/authorize.ts';
import { mapConnection } from '../../graph/connection.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { toUserErrors } from '../../graph/user-error.type.ts';
import type { Result } from '../../kernel/errors/result.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import { operatorOf } from '../../partners/operator-log/index.ts';
import { PartnerEnvironment } from '../graphql/partner.type.ts';
import { Platform } from './platform.type.ts';
import {
  FailRemittanceInput,
  PlatformRemittance,
  PlatformRemittanceArgs,
  PlatformRemittanceConnection,
  PlatformRemittancePayload,
  RetryRemittanceInput,
} from './remittance.type.ts';
import type { OperatorRemittance, OperatorRemittances } from './remittances.ts';

/** Remittances of all partners, for the platform's operators: to look at, and to act on. */
@Resolver(() => Platform)
export class PlatformRemittanceResolver {
  constructor(private readonly service: OperatorRemittances) {}

  @FieldResolver(() => PlatformRemittanceConnection, {
    description:
      'Remittances of all partners that need an operator, in the order in which they were accepted.',
  })
  async remittances(
    @Args(() => PlatformRemittanceArgs) {
      list,
      tenantId,
      first = null,
      after = null,
    }: PlatformRemittanceArgs,
  ): Promise<PlatformRemittanceConnection> {
    const listing = { list, tenantId: tenantId ?? undefined };
    const found = await this.service.list(listing, { first, after });
    return mapConnection(found, present, PlatformRemittanceConnection);
  }

  @FieldResolver(() => PlatformRemittance, {
    nullable: true,
    description: 'The remittance with this id; null if there is none.',
  })
  async remittance(
    @Arg('id', () => ID, { description: 'Id of the remittance, as in PlatformRemittance.' }) id: string,
  ): Promise<PlatformRemittance | null> {
    const found = await this.service.find(id);
    return found ? present(found) : null;
  }

  @RequiresScopes('platform')
  @Mutation(() => PlatformRemittancePayload, {
    description:
      "For the platform's operators, in a session with the access `operate`. Makes the next attempt of a remittance due now, under the same idempotency keys for providers and with a new schedule. A failed remittance can be retried only if its payer may have been asked and its request was not withdrawn.",
  })
  async retryRemittance(
    @Arg('input', () => RetryRemittanceInput, { description: 'The remittance.' })
    { id, reason }: RetryRemittanceInput,
    @Ctx() context: RequestContext,
  ): Promise<PlatformRemittancePayload> {
    const by = operatorOf(authorizePlatform(context).consoleSession);
    return answer(await this.service.retry({ id, by, reason: reason ?? undefined }));
  }

  @RequiresScopes('platform')
  @Mutation(() => PlatformRemittancePayload, {
    description:
      "For the platform's operators, in a session with the access `operate`. Ends a remittance that is in progress, with its event and its outcome webhook. If the payer may have been asked, the request is withdrawn first, and the remittance ends with the result.",
  })
  async failRemittance(
    @Arg('input', () => FailRemittanceInput, { description: 'The remittance, and the reason.' })
    { id, reason }: FailRemittanceInput,
    @Ctx() context: RequestContext,
  ): Promise<PlatformRemittancePayload> {
    const by = operatorOf(authorizePlatform(context).consoleSession);
    return answer(await this.service.fail({ id, by, reason }));
  }
}

function answer(result: Result<OperatorRemittance>): PlatformRemittancePayload {
  return result.ok
    ? { remittance: present(result.value), userErrors: [] }
    : { remittance: null, userErrors: toUserErrors(result.failures) };
}

const ENVIRONMENTS = { sandbox: PartnerEnvironment.SANDBOX, live: PartnerEnvironment.LIVE } as const;

function present({
  environment,
  lastError,
  withdrawal,
  ...remittance
}: OperatorRemittance): PlatformRemittance {
  return {
    ...remittance,
    environment: ENVIRONMENTS[environment],
    lastErrorCode: lastError?.code ?? null,
    lastErrorMessage: lastError?.message ?? null,
    lastErrorAt: lastError?.occurredAt ?? null,
    withdrawalStatus: withdrawal,
  };
}
