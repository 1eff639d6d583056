import type { CreateRequestMoneyMutation, RequestMoneyQuery } from '../../schema/operations/types.ts';
import { omitAbsent } from '../shared/reply.ts';

type CreatePayload = CreateRequestMoneyMutation['createRequestMoneyFromJson'];
type CreatedMoneyRequest = NonNullable<CreatePayload['requestMoney']>;
type FoundMoneyRequest = NonNullable<RequestMoneyQuery['requestMoney']>;

/** Document 2, "Create response fields". */
export function createdMoneyRequest(moneyRequest: CreatedMoneyRequest, warnings: CreatePayload['warnings']) {
  return {
    ...commonFields(moneyRequest),
    ...(warnings.length > 0 && { warnings: warnings.map(({ code, message }) => ({ code, message })) }),
  };
}

/** Document 2, "Lookup fields"; order by decisions, section 3. */
export function foundMoneyRequest(moneyRequest: FoundMoneyRequest) {
  return omitAbsent({
    ...commonFields(moneyRequest),
    requestId: moneyRequest.requestId,
    operationId: moneyRequest.operation?.id,
    createdAt: moneyRequest.createdAt,
    updatedAt: moneyRequest.updatedAt,
    expiresAt: moneyRequest.expiresAt,
  });
}

function commonFields(moneyRequest: CreatedMoneyRequest) {
  return {
    referenceId: moneyRequest.referenceId,
    id: moneyRequest.referenceId,
    status: moneyRequest.status.toLowerCase(),
    statusDetails: moneyRequest.statusDetails,
    waLink: moneyRequest.waLink,
    landingLink: moneyRequest.landingLink,
    fundRequestLink: moneyRequest.fundRequestLink,
    resolved: corridorOf(moneyRequest.resolved),
  };
}

/** `payerCode` may be null; `stateCode` is left out when the route needs none. */
function corridorOf({ payoutType, payerCode, stateCode, ...corridor }: CreatedMoneyRequest['resolved']) {
  return {
    sourceCountry: corridor.sourceCountry,
    destinationCountry: corridor.destinationCountry,
    sourceCurrency: corridor.sourceCurrency,
    destinationCurrency: corridor.destinationCurrency,
    payoutType: payoutType.toLowerCase(),
    payerCode,
    ...(stateCode !== null && { stateCode }),
  };
}
