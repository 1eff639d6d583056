import { Field, InputType, ObjectType, Resolver } from 'type-graphql';
import { DocumentedMutation, type MutationCall, toPayload } from '../../graph/documented-mutation.ts';
import { inSandboxOnly } from '../../graph/sandbox-only.ts';
import { payloadType } from '../../graph/user-error.type.ts';
import type { RequestMoneyService } from '../service.ts';
import { RequestMoney, RequestMoneyStatus, toRequestMoney } from './request-money.type.ts';

@InputType({ description: 'A status that a money request of the sandbox moves to.' })
class SimulateRequestMoneyStatusInput {
  @Field(() => String, { description: "The partner's 8-character reference." })
  referenceId!: string;

  @Field(() => RequestMoneyStatus, { description: 'The new status.' })
  status!: RequestMoneyStatus;

  @Field(() => String, {
    nullable: true,
    description: "Detail of the status, 1 to 255 characters; the status's own when absent.",
  })
  statusDetails?: string | null;
}

@ObjectType({ description: 'The money request after a simulated status, or why the mutation failed.' })
class SimulateRequestMoneyStatusPayload extends payloadType(
  'requestMoney',
  RequestMoney,
  'The money request as it is now; null on failure.',
) {}

@Resolver()
export class RequestMoneySimulation {
  constructor(private readonly service: Pick<RequestMoneyService, 'simulateStatus'>) {}

  @DocumentedMutation({
    scopes: ['partner', 'partner_write'],
    payload: () => SimulateRequestMoneyStatusPayload,
    graphql: {
      description:
        'Sandbox only: moves a money request to a status, as the platform does when the payer pays or the payment fails, with the same events and webhooks. The operation that fulfils it moves with it, and is created for PROCESSING and COMPLETED. Fails with SANDBOX_ONLY for a live key.',
      input: {
        type: () => SimulateRequestMoneyStatusInput,
        description: 'The money request and its new status.',
      },
    },
    rest: {
      field: 'simulateRequestMoneyStatusFromJson',
      description: 'POST /v1/sandbox/request-money/{referenceId}/status: the body as it was sent.',
    },
    ids: { referenceId: { argument: 'referenceId', description: 'The reference of the path.' } },
  })
  async simulateRequestMoneyStatus({
    principal,
    ids: { referenceId },
    body,
  }: MutationCall<'referenceId'>): Promise<SimulateRequestMoneyStatusPayload> {
    const updated = await inSandboxOnly(principal, () =>
      this.service.simulateStatus(principal, referenceId, body),
    );
    return toPayload('requestMoney', updated, toRequestMoney);
  }
}
