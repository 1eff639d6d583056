import type { IdName } from './ids.ts';
import type { GraphArguments, RestArguments, Variant, Variants } from './variant.ts';

const by = (argument: string, name: IdName, more: object = {}): Variant<GraphArguments> => ({
  with: (id) => ({ variables: { input: { [argument]: id(name), ...more } } }),
  is: 'simulation',
});
const inPath = (param: string, name: IdName, body: object = {}): Variant<RestArguments> => ({
  with: (id) => ({ path: { [param]: id(name) }, body }),
  is: 'simulation',
});

/** How the mutations are driven that simulate an act of the platform or of a payer. */
export const SIMULATIONS: Variants<GraphArguments> = {
  simulateRequestMoneyStatus: [by('referenceId', 'referenceId', { status: 'COMPLETED' })],
  simulateOperationStatus: [
    by('operationId', 'operationId', { status: 'FUNDING' }),
    by('operationId', 'correlationId', { status: 'FUNDING' }),
    by('operationId', 'atomicId', { status: 'FUNDING' }),
  ],
  simulateCip: [
    by('userId', 'linkUserId', { status: 'FAILED' }),
    by('userId', 'userId', { status: 'FAILED' }),
  ],
  simulateLinkOpened: [by('linkId', 'linkId')],
  simulateDataRequest: [by('linkId', 'linkId', { fields: ['dob'] })],
};

/** The same acts by REST. */
export const REST_SIMULATIONS: Variants<RestArguments> = {
  'POST /v1/sandbox/request-money/{referenceId}/status': [
    inPath('referenceId', 'referenceId', { status: 'completed' }),
  ],
  'POST /v1/sandbox/operations/{operationId}/status': [
    inPath('operationId', 'operationId', { status: 'Funding' }),
    inPath('operationId', 'correlationId', { status: 'Funding' }),
    inPath('operationId', 'atomicId', { status: 'Funding' }),
  ],
  'POST /v1/sandbox/users/{userId}/cip': [
    inPath('userId', 'linkUserId', { status: 'failed' }),
    inPath('userId', 'userId', { status: 'failed' }),
  ],
  'POST /v1/sandbox/links/{linkId}/open': [inPath('linkId', 'linkId')],
  'POST /v1/sandbox/data-requests': [
    {
      with: (id) => ({ body: { linkId: id('linkId'), fields: ['dob'] } }),
      is: 'simulation',
    },
  ],
};
