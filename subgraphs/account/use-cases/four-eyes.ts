import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { isOneOf, keysOf } from '../../kernel/objects.ts';
import type { Principal } from '../../kernel/principal.ts';
import { type Approval, ApprovalDecided, type Approvals } from '../../partners/approvals/approvals.ts';
import type { KeyApproval } from '../../partners/keys/partner-keys.ts';
import type { FourEyesAct } from '../../partners/tenants/four-eyes.ts';
import type { Tenants } from '../../partners/tenants/service.ts';
import type { ActName, ActTypes, ApprovableAct, ApprovableActs, ShownOnce } from './approvable-acts.ts';

/** An act that was done, or that waits for an approval. */
export type Performed<Done> =
  | { readonly done: Done; readonly pendingApproval: null }
  | { readonly done: null; readonly pendingApproval: Approval };

/** An approved act, and the secrets that it has made. */
interface Approved extends ShownOnce {
  readonly approval: Approval;
}

/** Runs acts: those that the partner protects only after the approval of another person, an administrator. */
export interface FourEyes {
  /**
   * Does the act, or stores a request for its approval: then nothing else happens. An act that would fail now fails, and is not
   * stored. Failures: those of the act; FORBIDDEN with an API key for a protected act; APPROVAL_REFUSED, APPROVAL_LIMIT.
   */
  perform<Name extends ActName>(
    principal: Principal,
    name: Name,
    input: ActTypes[Name][0],
  ): Promise<Result<Performed<ActTypes[Name][1]>>>;
  /**
   * Does the act of a request, once: with its end in one transaction, so that it happens and is marked as approved, or neither.
   * The caller gets the secrets that it makes. Failures: those of the act, after which the request stays open; APPROVAL_NOT_FOUND,
   * APPROVAL_NOT_PENDING, APPROVAL_REFUSED.
   */
  approve(principal: Principal, id: string): Promise<Result<Approved>>;
}

interface FourEyesDeps {
  readonly acts: ApprovableActs;
  readonly approvals: Approvals;
  readonly tenants: Pick<Tenants, 'find'>;
}

export function createFourEyes(deps: FourEyesDeps): FourEyes {
  return {
    perform: (principal, name, input) => perform(deps, principal, name, input),
    approve: (principal, id) => approve(deps, principal, id),
  };
}

async function perform<Name extends ActName>(
  { acts, approvals, tenants }: FourEyesDeps,
  principal: Principal,
  name: Name,
  input: ActTypes[Name][0],
): Promise<Result<Performed<ActTypes[Name][1]>>> {
  const act: ApprovableAct<ActTypes[Name][0], ActTypes[Name][1]> = acts[name];
  const asked = (await tenants.find(principal.accountId))?.fourEyes ?? [];
  const needed = act.needs(input).filter((one: FourEyesAct) => asked.includes(one));
  if (needed.length === 0) {
    const done = await act.run(principal, input);
    return done.ok ? succeed({ done: done.value, pendingApproval: null }) : done;
  }
  if (!principal.consoleSession) {
    return fail(
      'FORBIDDEN',
      'This needs the approval of an administrator who is another person. Do it in the console, where a request is stored, not with an API key.',
    );
  }
  const checked = await check(act, principal, input);
  if (!checked.ok) {
    return checked;
  }
  const requested = await approvals.request(principal, { operation: name, acts: needed, input });
  return requested.ok ? succeed({ done: null, pendingApproval: requested.value }) : requested;
}

/** Ends a transaction that is only tried. */
class OnlyChecked extends Error {
  override readonly name = 'OnlyChecked';
}

/** Does everything up to the writes of the act, and nothing of them. */
async function check<Input, Done>(
  act: ApprovableAct<Input, Done>,
  principal: Principal,
  input: Input,
): Promise<Result<undefined>> {
  const alongside = () => {
    throw new OnlyChecked();
  };
  try {
    const result = await act.run(principal, input, { alongside, askedIn: '' });
    if (result.ok) {
      throw new TypeError('An act adds the writes of its approval to its own');
    }
    return result;
  } catch (error) {
    if (error instanceof OnlyChecked) {
      return succeed(undefined);
    }
    throw error;
  }
}

async function approve(deps: FourEyesDeps, principal: Principal, id: string): Promise<Result<Approved>> {
  const { acts, approvals } = deps;
  const open = await approvals.findApprovable(principal, id);
  if (!open.ok) {
    return open;
  }
  const { operation, input, requestedBy } = open.value;
  if (!isOneOf(keysOf(acts), operation)) {
    throw new TypeError(`There is no act ${operation}`);
  }
  const approval = {
    alongside: (unit: UnitOfWork) => approvals.approveWithin(unit, principal, id),
    askedIn: requestedBy.sessionId,
  };
  try {
    const shown = await runStored(acts, operation, { principal, input, approval });
    if (!shown.ok) {
      return shown;
    }
    const approved = await approvals.find(principal.accountId, id);
    return succeed({ ...shown.value, approval: approved ?? open.value });
  } catch (error) {
    if (error instanceof ApprovalDecided) {
      return fail('APPROVAL_NOT_PENDING');
    }
    throw error;
  }
}

async function runStored<Name extends ActName>(
  acts: ApprovableActs,
  name: Name,
  { principal, input, approval }: { principal: Principal; input: unknown; approval: KeyApproval },
): Promise<Result<ShownOnce>> {
  const act: ApprovableAct<ActTypes[Name][0], ActTypes[Name][1]> = acts[name];
  // The cast: the input was stored for this act.
  const stored = act.read ? act.read(input) : (input as ActTypes[Name][0]);
  const result = await act.run(principal, stored, approval);
  return result.ok ? succeed(act.shownOnce(result.value)) : result;
}
