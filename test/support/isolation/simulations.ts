import type { GraphArguments } from './graph-calls.ts';
import type { IdName } from './ids.ts';
import type { Variant, Variants } from './variant.ts';

const by = (argument: string, name: IdName, more: object = {}): Variant<GraphArguments> => ({
  with: (id) => ({ variables: { input: { [argument]: id(name), ...more } } }),
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
