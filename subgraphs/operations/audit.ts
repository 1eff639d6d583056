import type { Connection } from 'mongoose';
import { withAnyOf } from '../kernel/database/any-of.ts';
import { findPlain } from '../kernel/database/plain-reads.ts';
import { groupItems } from '../kernel/objects.ts';
import { createLedgerModels, isSame, type JournalLine } from '../ledger/index.ts';
import { type Check, checkRecords } from '../runtime/audit/audit.ts';
import { compareWithEvents, type StateRules } from '../runtime/audit/states.ts';
import { canMove, type OperationStatus, PARTNER_STATUS_OF, transitionsToMatch } from './lifecycle.ts';
import { postingsOf } from './postings.ts';
import {
  createOperationModels,
  type OperationDocument,
  type OperationHistoryDocument,
} from './store/model.ts';

/**
 * The check of operations: the history is a legal path to the status, the journal has just the entries that the posting rules give
 * for it, and the last event has the status.
 */
export function checkOperations(connection: Connection, rules: Omit<StateRules, 'entity'>): Check {
  const { operations, history } = createOperationModels(connection);
  const { entries } = createLedgerModels(connection);
  return checkRecords<OperationDocument>({
    name: 'operations',
    model: operations,
    time: 'updatedAt',
    labelOf: ({ operationId }) => operationId,
    judge: async (accountId, found) => {
      const ids = found.map(({ operationId }) => operationId);
      const [moves, posted, events] = await Promise.all([
        findPlain(history, withAnyOf(history, { accountId }, 'operationId', ids), {
          sort: { operationId: 1, version: 1 },
        }),
        findPlain(entries, withAnyOf(entries, { accountId }, 'entityId', ids), {}),
        compareWithEvents({ ...rules, entity: 'operation' }, accountId, found.map(stateOf)),
      ]);
      const movesOf = new Map(groupItems(moves, ({ operationId }) => operationId));
      const postedOf = new Map(
        groupItems(
          posted.filter(({ entity }) => entity === 'operation'),
          ({ entityId }) => entityId,
        ),
      );
      return new Map(
        found.map((operation) => {
          const { _id, operationId, version } = operation;
          const upTo = <T extends { readonly version: number }>(list: readonly T[] = []) =>
            list.filter((one) => one.version <= version);
          const path = upTo(movesOf.get(operationId));
          return [
            _id,
            [
              ...pathIssues(operation, path),
              ...postingIssues(operation, path, upTo(postedOf.get(operationId))),
              ...(events.get(operationId) ?? []),
            ],
          ];
        }),
      );
    },
  });
}

function stateOf({ operationId: id, version, status, updatedAt: changedAt }: OperationDocument) {
  return { id, version, status, changedAt };
}

type Move = Pick<OperationHistoryDocument, 'version' | 'previousStatus' | 'status'>;

function pathIssues(operation: OperationDocument, moves: readonly Move[]): string[] {
  const { version, status, requestReferenceId } = operation;
  const last = moves.at(-1);
  if (last?.version !== version || moves.length !== version) {
    return [`Its history has ${moves.length} moves, and it is in version ${version}`];
  }
  const issues = last.status === status ? [] : [`It is ${status}, and its history ends with ${last.status}`];
  let heldFrom: OperationStatus | undefined;
  for (const [index, { previousStatus: from, status: to, version: at }] of moves.entries()) {
    const before = moves[index - 1]?.status ?? null;
    if (from !== before) {
      issues.push(`Version ${at} of its history begins with ${from}, and ${before} stands before it`);
    } else if (!isLegal(from, to, heldFrom, requestReferenceId !== undefined)) {
      issues.push(`Version ${at} of its history moves from ${from} to ${to}, which is no allowed change`);
    }
    heldFrom = to === 'OnHold' ? (heldFrom ?? from ?? undefined) : undefined;
  }
  return issues;
}

/** Whether a move is one of the table, new details, a beginning, or the end of a money request, which ends any open operation. */
function isLegal(
  from: OperationStatus | null,
  to: OperationStatus,
  heldFrom: OperationStatus | undefined,
  isFulfilling: boolean,
): boolean {
  if (from === null) {
    return to === (isFulfilling ? 'Funding' : 'Sent');
  }
  if (from === to) {
    return ['pending', 'processing'].includes(PARTNER_STATUS_OF[from]);
  }
  const state = { status: from, statusDetails: '', ...(heldFrom && { heldFrom }) };
  return canMove(from, to, heldFrom) || (isFulfilling && transitionsToMatch(state, to)?.[0] === to);
}

interface Posted {
  readonly version: number;
  readonly kind: string;
  readonly lines: readonly JournalLine[];
}

function postingIssues(
  operation: OperationDocument,
  moves: readonly Move[],
  posted: readonly Posted[],
): string[] {
  const path = moves.map(({ status: to, version }) => ({ to, version }));
  const expected = new Map<number, Posted>(
    postingsOf(operation, [], path).map((posting) => [posting.version, posting]),
  );
  const byVersion = new Map(posted.map((entry) => [entry.version, entry]));
  return [...new Set([...expected.keys(), ...byVersion.keys()])].flatMap((version) => {
    const [own, other] = [expected.get(version), byVersion.get(version)];
    if (own === undefined) {
      return [`The journal has an entry for version ${version}, which moves no money`];
    }
    if (other === undefined) {
      return [`The journal has no entry for version ${version}, which is a ${own.kind}`];
    }
    return own.kind === other.kind && isSame(own.lines, other.lines)
      ? []
      : [`The entry for version ${version} has other amounts than its posting rule gives`];
  });
}
