import type { Model } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { newId } from '../../kernel/database/ids.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Logger } from '../../kernel/log/log.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { ApiKeyDocument } from '../keys/model.ts';
import type { FourEyesAct } from '../tenants/four-eyes.ts';
import {
  type Administrator,
  APPROVAL_STATES,
  type ApprovalDocument,
  type ApprovalModel,
  type ApprovalState,
} from './model.ts';

/** A request for the approval of an act. */
export interface Approval {
  readonly id: string;
  readonly operation: string;
  readonly acts: readonly FourEyesAct[];
  /** The input of the mutation, as JSON has it. */
  readonly input: unknown;
  /** EXPIRED: nobody decided in time. */
  readonly status: ApprovalState | 'EXPIRED';
  readonly requestedBy: Administrator;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decidedBy: Administrator | null;
  readonly decidedAt: Date | null;
}

/** An act for which an approval is asked. */
interface RequestedAct {
  readonly operation: string;
  readonly acts: readonly FourEyesAct[];
  readonly input: object;
}

/**
 * Requests for the approval of acts by another person, an administrator, and their decisions. Each is decided once: of two
 * decisions at once the database lets one through.
 */
export interface Approvals {
  /** Stores a request. Failures: APPROVAL_REFUSED outside a named console session, APPROVAL_LIMIT. */
  request(principal: Principal, act: RequestedAct): Promise<Result<Approval>>;
  /** The newest 100, newest first. */
  list(accountId: AccountId): Promise<Approval[]>;
  /**
   * Finds an open request that the caller may approve. Failures: APPROVAL_NOT_FOUND, APPROVAL_NOT_PENDING; APPROVAL_REFUSED for
   * the person who asked, for a session that comes from the asking one, for one of an operator's link, and for a new key in a session of
   * a company account.
   */
  findApprovable(principal: Principal, id: string): Promise<Result<Approval>>;
  /**
   * Marks a request as approved, in the transaction of the act.
   * @throws ApprovalDecided at the end of the transaction, when it is not open any more: then the act does not happen
   */
  approveWithin(unit: UnitOfWork, principal: Principal, id: string): void;
  /** Rejects an open request; the person who asked may do so, too. Failures: APPROVAL_NOT_FOUND, APPROVAL_NOT_PENDING, APPROVAL_REFUSED. */
  reject(principal: Principal, id: string): Promise<Result<Approval>>;
  find(accountId: AccountId, id: string): Promise<Approval | undefined>;
}

interface ApprovalsDeps {
  readonly model: ApprovalModel;
  readonly keys: Pick<Model<ApiKeyDocument>, 'findById'>;
  readonly box: Box;
  readonly log: Pick<Logger, 'info'>;
  /** The database's time. */
  readonly clock: () => Date;
}

const LIFE_MS = 24 * 3_600_000;
const MOST_OPEN = 20;
const MOST_LISTED = 100;

/** Thrown within a transaction: the request was decided meanwhile, or has expired. */
export class ApprovalDecided extends Error {
  override readonly name = 'ApprovalDecided';
}

export function createApprovals(deps: ApprovalsDeps): Approvals {
  const { model, log, clock } = deps;
  const find = async (accountId: AccountId, id: string) => {
    const found = await model.findOne({ _id: id, accountId }).lean();
    return found ? present(deps, found) : undefined;
  };
  return {
    request: (principal, act) => request(deps, principal, act),
    list: async (accountId) => {
      const found = await model
        .find({ accountId, state: { $in: APPROVAL_STATES } })
        .sort({ createdAt: -1 })
        .limit(MOST_LISTED)
        .lean();
      return found.map((one) => present(deps, one));
    },
    find,
    findApprovable: async (principal, id) => {
      const open = requireOpen(await find(principal.accountId, id));
      return open.ok && !(await mayApprove(deps, principal, open.value)) ? fail('APPROVAL_REFUSED') : open;
    },
    approveWithin: (unit, principal, id) => {
      const { accountId } = principal;
      const now = clock();
      const decidedBy = requirePerson(principal);
      unit.update(model, {
        filter: { _id: id, accountId, state: 'PENDING', expiresAt: { $gt: now } },
        update: { $set: { state: 'APPROVED', decidedBy, decidedAt: now } },
        otherwise: () => new ApprovalDecided(),
      });
      unit.onEnd((isCommitted) => {
        if (isCommitted) {
          log.info({ accountId, approvalId: id, sessionId: decidedBy.sessionId }, 'approval.approved');
        }
      });
    },
    reject: async (principal, id) => {
      const { accountId } = principal;
      const decidedBy = personOf(principal);
      const open = requireOpen(await find(accountId, id));
      if (!open.ok || !decidedBy) {
        return open.ok ? fail('APPROVAL_REFUSED') : open;
      }
      const now = clock();
      const rejected = await model
        .findOneAndUpdate(
          { _id: id, accountId, state: 'PENDING', expiresAt: { $gt: now } },
          { $set: { state: 'REJECTED', decidedBy, decidedAt: now } },
          { returnDocument: 'after' },
        )
        .lean();
      if (!rejected) {
        return fail('APPROVAL_NOT_PENDING');
      }
      log.info({ accountId, approvalId: id, sessionId: decidedBy.sessionId }, 'approval.rejected');
      return succeed(present(deps, rejected));
    },
  };
}

async function request(
  deps: ApprovalsDeps,
  principal: Principal,
  { operation, acts, input }: RequestedAct,
): Promise<Result<Approval>> {
  const { model, box, log, clock } = deps;
  const { accountId } = principal;
  const requestedBy = personOf(principal);
  if (!requestedBy) {
    return fail('APPROVAL_REFUSED');
  }
  const createdAt = clock();
  const since = new Date(createdAt.getTime() - LIFE_MS);
  const open = await model.countDocuments({ accountId, createdAt: { $gt: since }, state: 'PENDING' });
  if (open >= MOST_OPEN) {
    return fail('APPROVAL_LIMIT');
  }
  const _id = newId('apr_');
  const document: ApprovalDocument = {
    ...{ _id, accountId, operation, acts: [...acts], state: 'PENDING', requestedBy, createdAt },
    input: box.seal(JSON.stringify(input), contextOf(accountId, _id)),
    expiresAt: new Date(createdAt.getTime() + LIFE_MS),
  };
  await model.insertMany([document]);
  log.info({ accountId, approvalId: _id, operation, sessionId: requestedBy.sessionId }, 'approval.requested');
  return succeed(present(deps, document));
}

function requireOpen(found: Approval | undefined): Result<Approval> {
  if (!found) {
    return fail('APPROVAL_NOT_FOUND');
  }
  return found.status === 'PENDING' ? succeed(found) : fail('APPROVAL_NOT_PENDING');
}

/**
 * The person behind a call: of a company's sign-in, or of a link that the partner's key has made. Undefined for programs, for
 * sessions without a name, and for those of an operator's link.
 */
function personOf({ keyId, consoleSession }: Principal): Administrator | undefined {
  if (!consoleSession || normalize(consoleSession.label) === '') {
    return undefined;
  }
  const { sessionId, label: person, person: signedInAs } = consoleSession;
  if (signedInAs !== undefined) {
    return { sessionId, person, signedInAs };
  }
  return sessionId === keyId ? undefined : { sessionId, person };
}

function requirePerson(principal: Principal): Administrator {
  const person = personOf(principal);
  if (!person) {
    throw new TypeError('Only an administrator approves');
  }
  return person;
}

/** Whether the caller is certainly another person than the one who asked, in a session that does not come from the asking one. */
async function mayApprove(
  { keys }: ApprovalsDeps,
  principal: Principal,
  { requestedBy, acts }: Approval,
): Promise<boolean> {
  const approver = personOf(principal);
  if (!approver || mayBeSamePerson(approver, requestedBy)) {
    return false;
  }
  if (approver.signedInAs !== undefined) {
    // The key that an approval makes ends with the key of its session, and such a session has none.
    return !acts.includes('CREATE_KEY');
  }
  const key = await keys.findById(principal.keyId).select({ madeIn: 1 }).lean();
  return key !== null && !key.madeIn?.includes(requestedBy.sessionId);
}

/** The person of a link may have a company account, too: nothing compares the link's label with the account. */
function mayBeSamePerson(one: Administrator, other: Administrator): boolean {
  const isOfOtherKind = (one.signedInAs === undefined) !== (other.signedInAs === undefined);
  return (
    isOfOtherKind ||
    one.sessionId === other.sessionId ||
    (one.signedInAs !== undefined && one.signedInAs === other.signedInAs) ||
    normalize(one.person) === normalize(other.person)
  );
}

/** One person is written in several ways. */
function normalize(person: string): string {
  return person.normalize('NFKC').replace(/\s+/gu, ' ').trim().toLowerCase();
}

function contextOf(accountId: AccountId, id: string): string {
  return `${accountId}|input|${id}`;
}

function present({ box, clock }: Pick<ApprovalsDeps, 'box' | 'clock'>, document: ApprovalDocument): Approval {
  const { _id: id, accountId, operation, acts, state, requestedBy, createdAt, expiresAt } = document;
  const input: unknown = JSON.parse(box.open(toBuffer(document.input), contextOf(accountId, id)).toString());
  return {
    id,
    operation,
    acts,
    input,
    status: state === 'PENDING' && expiresAt <= clock() ? 'EXPIRED' : state,
    requestedBy,
    createdAt,
    expiresAt,
    decidedBy: document.decidedBy ?? null,
    decidedAt: document.decidedAt ?? null,
  };
}
