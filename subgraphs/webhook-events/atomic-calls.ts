import { text, time } from '../kernel/json/json-schema.ts';
import { EXAMPLE_TIME, plainEvent } from './declare.ts';
import { PHASES, type Phase, REMITTANCE_ERROR_CODES } from './values.ts';

/** The parts of an ended atomic call that its outcome has. */
interface EndedCall {
  /** The reason of a failure; undefined for a success. */
  readonly error: { readonly code: string; readonly message: string } | undefined;
  /** The phase in which it ended. */
  readonly phase: Phase;
  readonly correlationId: string;
  readonly userId: string;
  readonly endedAt: Date;
}

const NAME = 'request_money_full_outcome';
/** `reason` of a success (decisions, section 6). */
const CREATED = 'Request created';

/** How an atomic call ended. */
export const REQUEST_MONEY_FULL_OUTCOME = plainEvent<typeof NAME, EndedCall>(
  {
    name: NAME,
    version: 1,
    document: 1,
    source: 'document 1, "Events"; decisions, section 2',
    schemaName: 'RequestMoneyFullOutcome',
    summary: 'An atomic call ended; sent to `operationStatusHook`',
    sentWhen:
      'Sent when an accepted atomic call succeeds or fails. After `Failed`, `Accepted` may follow if the payer may have been asked.',
    receivers: 'statusHook',
  },
  {
    eventType: [{ const: NAME }, () => NAME],
    status: [{ ...text, enum: ['Accepted', 'Failed'] }, ({ error }) => (error ? 'Failed' : 'Accepted')],
    errorCode: [
      { ...text, enum: REMITTANCE_ERROR_CODES, description: 'Only with `Failed`.' },
      ({ error }) => error?.code,
      'optional',
    ],
    reason: [text, ({ error }) => error?.message ?? CREATED],
    phase: [{ ...text, enum: PHASES, description: 'The phase in which it ended.' }, ({ phase }) => phase],
    correlationId: [text, ({ correlationId }) => correlationId],
    operationId: [
      { ...text, description: 'Same value as `correlationId`.' },
      ({ correlationId }) => correlationId,
    ],
    userId: [text, ({ userId }) => userId],
    timestamp: [time, ({ endedAt }) => endedAt.toISOString()],
  },
  {
    error: { code: 'ERROR_CIP_NOT_COMPLETED', message: 'The identity check is not completed.' },
    phase: 'CIP',
    correlationId: 'corr-1',
    userId: 'usr_9xYw2LmNp7RsAcEd3kTq',
    endedAt: new Date(EXAMPLE_TIME),
  },
);
