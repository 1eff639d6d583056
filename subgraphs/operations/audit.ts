import type { Connection } from 'mongoose';
import { withAnyOf } from '../kernel/database/any-of.ts';
import { findPlain } from '../kernel/database/plain-reads.ts';
import { groupItems } from '../kernel/objects.ts';
import { createLedgerModels, isBalanced, isSame, type JournalLine } from '../ledger/index.ts';
import type { RecordRules } from '../runtime/audit/records.ts';
import { canMove, type OperationStatus, PARTNER_STATUS_OF, transitionsToMatch } from './lifecycle.ts';
import { postingsOf } from './postings.ts';
import {
  createOperationModels,
  type OperationDocument,
  type OperationHistoryDocument,
} from './store/model.ts';

/**
 * The rules of operations for audits: the history is a legal path to the status, and the journal has just the entries that the posting
 * rules give for it, in the chain or waiting for it.
 */
export function operationRules(connection: Connection): RecordRules<OperationDocument> {
  const { operations, history } = createOperationModels(connection);
  const { entries } = createLedgerModels(connection);
  return {
    ...{ name: 'operations', model: operations, entity: 'operation', time: 'updatedAt' },
    idOf: ({ operationId }) => operationId,
    judge: async (accountId, found) => {
      const ids = found.map(({ operationId }) => operationId);
      const [moves, posted] = await Promise.all([
        findPlain(history, withAnyOf(history, { accountId }, 'operationId', ids), {
          sort: { operationId: 1, version: 1 },
        }),
        findPlain(entries, withAnyOf(entries, { accountId }, 'entityId', ids), {}),
      ]);
      const movesOf = groupItems(moves, ({ operationId }) => operationId);
      const postedOf = groupItems(
        posted.filter(({ entity }) => entity === 'operation'),
        ({ entityId }) => entityId,
      );
      return new Map(
        found.map((operation) => {
          // Later ones belong to a change after the operation was read.
          const upToNow = ({ version }: { readonly version: number }) => version <= operation.version;
          const path = (movesOf.get(operation.operationId) ?? []).filter(upToNow);
          const own = (postedOf.get(operation.operationId) ?? []).filter(upToNow);
          return [
            operation.operationId,
            [...pathIssues(operation, path), ...postingIssues(operation, path, own)],
          ];
        }),
      );
    },
  };
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
  /** Its place in the chain. */
  readonly number?: number | undefined;
  /** Whether it waits for its place. */
  readonly pending?: boolean | undefined;
}

function postingIssues(
  operation: OperationDocument,
  moves: readonly Move[],
  posted: readonly Posted[],
): string[] {
  const path = moves.map(({ status: to, version }) => ({ to, version }));
  const expected: readonly Pick<Posted, 'version' | 'kind' | 'lines'>[] = postingsOf(operation, [], path);
  const lost = posted.filter(({ number, pending }) => number === undefined && pending !== true);
  const versions = new Set([...expected, ...posted].map(({ version }) => version));
  const issues = [...versions].flatMap((version) => {
    const [own, other] = [expected, posted].map((all) => all.find((one) => one.version === version));
    if (own === undefined) {
      return [`The journal has an entry for version ${version}, which moves no money`];
    }
    if (other === undefined) {
      return [`The journal has no entry for version ${version}, which is a ${own.kind}`];
    }
    return own.kind === other.kind && isBalanced(other.lines) && isSame(own.lines, other.lines)
      ? []
      : [`The entry for version ${version} has other amounts than its posting rule gives`];
  });
  return [
    ...issues,
    ...lost.map(
      ({ version }) => `The entry for version ${version} has no place in the chain, and waits for none`,
    ),
  ];
}
