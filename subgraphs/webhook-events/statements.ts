import { type AccountId, environmentOf, tenantOf } from '../kernel/account.ts';
import { text, time } from '../kernel/json/json-schema.ts';
import { envelopedEvent } from './declare.ts';

/** The parts of a statement that its event has. */
interface ReadyStatement {
  readonly accountId: AccountId;
  readonly id: string;
  readonly period: 'day' | 'month';
  readonly name: string;
  readonly currency: string;
  readonly timeZone: string;
  readonly from: Date;
  readonly to: Date;
}

/** A statement was issued. */
export const STATEMENT_READY = envelopedEvent<'statement.ready', ReadyStatement>(
  {
    name: 'statement.ready',
    version: 1,
    document: 2,
    source: 'the GraphQL API, `statements`',
    schemaName: 'StatementReadyEvent',
    summary: 'A statement was issued: read it with `GET /v1/statements/{id}`',
    sentWhen:
      'Sent once for each statement, minutes after the end of its day or month in your time zone. It has no amounts.',
    receivers: 'subscribers',
  },
  {
    partnerId: [{ ...text, description: 'Your partner id.' }, ({ accountId }) => tenantOf(accountId)],
    environment: [
      { ...text, enum: ['sandbox', 'live'], description: 'Environment that it is about.' },
      ({ accountId }) => environmentOf(accountId),
    ],
    statementId: [{ ...text, description: 'Id of the statement.' }, ({ id }) => id],
    period: [
      { ...text, enum: ['day', 'month'], description: 'Length of its period.' },
      ({ period }) => period,
    ],
    name: [{ ...text, description: 'Its day, `YYYY-MM-DD`, or month, `YYYY-MM`.' }, ({ name }) => name],
    currency: [{ ...text, description: 'Its currency, ISO 4217.' }, ({ currency }) => currency],
    timeZone: [{ ...text, description: 'IANA time zone of the period.' }, ({ timeZone }) => timeZone],
    from: [{ ...time, description: 'When the period began.' }, ({ from }) => from.toISOString()],
    to: [{ ...time, description: 'The first instant after the period.' }, ({ to }) => to.toISOString()],
  },
  {
    accountId: 'acme/live',
    id: '2026-11-20-USD',
    period: 'day',
    name: '2026-11-20',
    currency: 'USD',
    timeZone: 'America/Mexico_City',
    from: new Date('2026-11-20T06:00:00.000Z'),
    to: new Date('2026-11-21T06:00:00.000Z'),
  },
);
