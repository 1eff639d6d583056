import type { Outcome, Payload } from '../shared/outcome.ts';
import { omitAbsent, type RestResponse } from '../shared/reply.ts';
import { presentError, presentFailures, presentInternalError } from './errors.ts';

interface Corridor {
  sourceCountry: string;
  destinationCountry: string;
  sourceCurrency: string;
  destinationCurrency: string;
  payoutType: string;
  payerCode: string | null;
  stateCode: string | null;
}

/** An ask as `createRequestMoney.graphql` selects it. */
export interface CreatedMoneyRequest {
  referenceId: string;
  status: string;
  statusDetails: string;
  waLink: string;
  landingLink: string;
  fundRequestLink: string;
  resolved: Corridor;
}

/** An ask as `requestMoney.graphql` and `updateRequestMoneyStatus.graphql` select it. */
export interface FoundMoneyRequest extends CreatedMoneyRequest {
  requestId: string;
  operation: { id: string } | null;
  createdAt: string;
  updatedAt: string;
  expiresAt: string;
}

export interface CreatePayload extends Payload {
  requestMoney: CreatedMoneyRequest;
  warnings: readonly { code: string; message: string }[];
}

export interface UpdatePayload extends Payload {
  requestMoney: FoundMoneyRequest;
}

/** Document 2, "Create response fields". */
export function presentCreated(outcome: Outcome<CreatePayload>): RestResponse {
  return present(outcome, ({ requestMoney, warnings }) => ({
    status: 201,
    body: {
      ...moneyRequestFields(requestMoney),
      ...(warnings.length > 0 ? { warnings: warnings.map(toWarning) } : {}),
    },
  }));
}

/** Document 2, "Lookup fields"; order by decisions, section 3. */
export function presentFound(outcome: Outcome<{ requestMoney: FoundMoneyRequest | null }>): RestResponse {
  return present(outcome, ({ requestMoney }) =>
    requestMoney
      ? { status: 200, body: lookupFields(requestMoney) }
      : presentError('REQUEST_MONEY_NOT_FOUND'),
  );
}

/** The lookup body, after an internal status update. */
export function presentUpdated(outcome: Outcome<UpdatePayload>): RestResponse {
  return present(
    outcome,
    ({ requestMoney }) => ({ status: 200, body: lookupFields(requestMoney) }),
    'internal',
  );
}

function present<T>(
  outcome: Outcome<T>,
  success: (data: T) => RestResponse,
  call?: 'internal',
): RestResponse {
  switch (outcome.kind) {
    case 'data':
      return success(outcome.data);
    case 'refused':
      return presentFailures(outcome.failures, call);
    case 'fault':
      return presentInternalError();
  }
}

function moneyRequestFields(moneyRequest: CreatedMoneyRequest) {
  return {
    referenceId: moneyRequest.referenceId,
    id: moneyRequest.referenceId,
    status: moneyRequest.status.toLowerCase(),
    statusDetails: moneyRequest.statusDetails,
    waLink: moneyRequest.waLink,
    landingLink: moneyRequest.landingLink,
    fundRequestLink: moneyRequest.fundRequestLink,
    resolved: toResolved(moneyRequest.resolved),
  };
}

function lookupFields(moneyRequest: FoundMoneyRequest) {
  return omitAbsent({
    ...moneyRequestFields(moneyRequest),
    requestId: moneyRequest.requestId,
    operationId: moneyRequest.operation?.id,
    createdAt: moneyRequest.createdAt,
    updatedAt: moneyRequest.updatedAt,
    expiresAt: moneyRequest.expiresAt,
  });
}

/** `payerCode` may be null; `stateCode` is left out when the route needs none. */
function toResolved({ payoutType, payerCode, stateCode, ...corridor }: Corridor) {
  return {
    sourceCountry: corridor.sourceCountry,
    destinationCountry: corridor.destinationCountry,
    sourceCurrency: corridor.sourceCurrency,
    destinationCurrency: corridor.destinationCurrency,
    payoutType: payoutType.toLowerCase(),
    payerCode,
    ...(stateCode === null ? {} : { stateCode }),
  };
}

function toWarning({ code, message }: { code: string; message: string }) {
  return { code, message };
}
