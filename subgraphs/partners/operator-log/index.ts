import type { Connection } from '../../graph/connection.ts';
import { type Page, paginateAll } from '../../graph/paginate.ts';
import { newId } from '../../kernel/database/ids.ts';
import { atOrAfter } from '../../kernel/database/time-bounds.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { Failure } from '../../kernel/errors/result.ts';
import { findNameIssue } from '../../kernel/person/name.ts';
import type { ConsoleSessionUse } from '../../kernel/principal.ts';
import type { ActState, Operator, OperatorLogDocument, OperatorLogModel } from './model.ts';

export type { ActState, Operator, OperatorLogDocument } from './model.ts';

/** An act as its code reports it; the log adds id and time. */
export type NewOperatorEntry = Omit<OperatorLogDocument, '_id' | 'createdAt'>;

/** Entries to list; absent: all. */
interface OperatorLogFilter {
  readonly tenantId?: string | undefined;
  readonly act?: string | undefined;
  /** Entries of this time or later. */
  readonly since?: Date | undefined;
  /** Entries before this time. */
  readonly until?: Date | undefined;
}

/** The log of operators' acts. Entries are never changed and never removed. */
export interface OperatorLog {
  /** Adds the entry of an act in the transaction of the act: there is neither without the other. */
  append(entry: NewOperatorEntry, unit: UnitOfWork): void;
  /**
   * A page of entries, newest first.
   * @throws GraphQLError BAD_USER_INPUT for a size out of 1 to 100, INVALID_CURSOR for a bad cursor
   */
  list(filter: OperatorLogFilter, page: Page): Promise<Connection<OperatorLogDocument>>;
}

interface OperatorLogDeps {
  readonly model: OperatorLogModel;
  /** The database's time. */
  readonly clock: () => Date;
}

export function createOperatorLog({ model, clock }: OperatorLogDeps): OperatorLog {
  return {
    append: ({ before, after, ...entry }, unit) =>
      unit.insert(model, [
        {
          ...entry,
          ...(before && { before: plain(before) }),
          ...(after && { after: plain(after) }),
          _id: newId('opl_'),
          createdAt: clock(),
        },
      ]),
    list: ({ tenantId, act, since, until }, page) =>
      paginateAll(
        model,
        {
          ...(tenantId !== undefined && { tenantId }),
          ...(act !== undefined && { act }),
          ...((since || until) && {
            createdAt: { ...(since && atOrAfter(since)), ...(until && { $lt: until }) },
          }),
        },
        page,
        (entry) => entry,
      ),
  };
}

/** A state as JSON: times are text. */
function plain(state: ActState): ActState {
  return JSON.parse(JSON.stringify(state));
}

/** The holder of a console session as an operator. */
export function operatorOf({ sessionId, label }: ConsoleSessionUse): Operator {
  return { source: 'CONSOLE', actor: label, sessionId };
}

const LONGEST_REASON = 500;

/** The fault that keeps a text from being the reason of an act; INVALID_REQUEST, at most one. */
export function findReasonIssues(reason: string): Failure[] {
  return reason.length <= LONGEST_REASON && findNameIssue(reason) === undefined
    ? []
    : [
        {
          code: 'INVALID_REQUEST',
          message: `reason must have at most ${LONGEST_REASON} characters, one of them visible, none of them a control character.`,
          path: ['reason'],
        },
      ];
}
