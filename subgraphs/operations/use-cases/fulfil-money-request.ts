import { newId } from '../../kernel/database/ids.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Quote } from '../../kernel/money/quote.ts';
import type { OperationWriting } from '../deps.ts';
import { illegalMove, operationIdTaken } from '../errors.ts';
import { type OperationStatus, pathTo, transitionsToMatch } from '../lifecycle.ts';
import type { Fulfilled, Fulfilment } from '../port.ts';
import { insertOperation, type Move, moveOperation } from './write-operation.ts';

/** The first status of a fulfilling operation: the payer has started to pay. */
const START: OperationStatus = 'Funding';

/**
 * Creates or moves the operation that fulfils a money request, with history and events, in the caller's transaction
 * (decisions, section 3, "Reaching processing or completed"). Failures: INVALID_TRANSITION; VALIDATION_FAILED when the id is
 * taken; NO_PRICE for a new operation without a quote.
 */
export async function fulfil(
  deps: OperationWriting,
  input: Fulfilment,
  unit: UnitOfWork,
): Promise<Result<Fulfilled>> {
  const { accountId } = input;
  const operationId = input.operationId ?? newId('op_');
  const found = await deps.operations.find(accountId, operationId, unit);
  if (found && found.requestReferenceId !== input.requestReferenceId) {
    return operationIdTaken(operationId);
  }
  const path = found ? transitionsToMatch(found, input.status) : pathTo(START, input.status);
  if (!path) {
    return illegalMove(found?.status ?? START, input.status);
  }
  if (found) {
    if (path.length === 0) {
      return succeed({ operationId });
    }
    const moves = toMoves(found.status, found.version, path);
    const { failureCause } = await moveOperation(deps, found, input, moves, unit);
    return succeed({ operationId, failureCause });
  }
  if (await deps.operationIds.isTaken({ accountId, operationId }, unit)) {
    return operationIdTaken(operationId);
  }
  if (!input.quote) {
    return fail('NO_PRICE');
  }
  await begin(deps, operationId, input, input.quote, path, unit);
  return succeed({ operationId });
}

function toMoves(from: OperationStatus, version: number, path: readonly OperationStatus[]): Move[] {
  return path.map((to, index) => ({ from: path[index - 1] ?? from, to, version: version + index + 1 }));
}

async function begin(
  deps: OperationWriting,
  operationId: string,
  input: Fulfilment,
  quote: Quote,
  path: readonly OperationStatus[],
  unit: UnitOfWork,
): Promise<void> {
  const { accountId, status, statusDetails, at } = input;
  const moves = [{ from: null, to: START, version: 1 }, ...toMoves(START, 1, path)];
  deps.operationIds.reserve({ accountId, operationId }, unit);
  await insertOperation(
    deps,
    {
      accountId,
      operationId,
      status,
      statusDetails,
      version: moves.length,
      userId: input.userId,
      ...input.countries,
      ...quote,
      recipientReferenceId: input.recipientReferenceId,
      requestReferenceId: input.requestReferenceId,
      createdAt: at,
      updatedAt: at,
    },
    moves,
    unit,
  );
}
