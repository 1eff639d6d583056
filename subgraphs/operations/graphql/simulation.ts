import { Field, ID, InputType, ObjectType, Resolver } from 'type-graphql';
import { DocumentedMutation, type MutationCall, toPayload } from '../../graph/documented-mutation.ts';
import { inSandboxOnly } from '../../graph/sandbox-only.ts';
import { payloadType } from '../../graph/user-error.type.ts';
import { andThen } from '../../kernel/errors/result.ts';
import { nameOf } from '../../partners/tenants/find-meant.ts';
import { readSimulatedUpdate } from '../commands/update-status.ts';
import type { OperationStatus as Status } from '../lifecycle.ts';
import type { OperationService } from '../service.ts';
import { Operation, OperationStatus, toOperation } from './operation.type.ts';

@InputType({ description: 'A status that an operation of the sandbox moves to.' })
class SimulateOperationStatusInput {
  @Field(() => ID, { description: 'Id of the operation: operationId, or correlationId in document 1.' })
  operationId!: string;

  @Field(() => OperationStatus, { description: 'The new status.' })
  status!: Status;

  @Field(() => String, {
    nullable: true,
    description:
      "Detail of the status, 1 to 255 characters. When absent: RequestSent for SENT, else the status's name in document 1.",
  })
  statusDetails?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why the operation fails, 1 to 255 characters. Kept with FAILED, REJECTED and CANCELLED.',
  })
  failureReason?: string | null;
}

@ObjectType({ description: 'The operation after a simulated status, or why the mutation failed.' })
class SimulateOperationStatusPayload extends payloadType(
  'operation',
  Operation,
  'The operation as it is now; null on failure.',
) {}

@Resolver()
export class OperationSimulation {
  constructor(private readonly operations: Pick<OperationService, 'updateStatus'>) {}

  @DocumentedMutation({
    scopes: ['partner', 'partner_write'],
    payload: () => SimulateOperationStatusPayload,
    graphql: {
      description:
        'Sandbox only: moves an operation to a status, as the platform does when the provider reports it, with the same events and webhooks. A money request that the operation fulfils moves with it. Fails with SANDBOX_ONLY for a live key.',
      input: { type: () => SimulateOperationStatusInput, description: 'The operation and its new status.' },
    },
    rest: {
      field: 'simulateOperationStatusFromJson',
      description: 'POST /v1/sandbox/operations/{operationId}/status: the body as it was sent.',
    },
    ids: { operationId: { argument: 'operationId', description: 'The operation of the path.' } },
  })
  async simulateOperationStatus({
    principal,
    ids: { operationId },
    body,
  }: MutationCall<'operationId'>): Promise<SimulateOperationStatusPayload> {
    const updated = await inSandboxOnly(principal, () =>
      andThen(readSimulatedUpdate(body, nameOf(principal.accountId)), (update) =>
        this.operations.updateStatus(operationId, update),
      ),
    );
    return toPayload('operation', updated, toOperation);
  }
}
