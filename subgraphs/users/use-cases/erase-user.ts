import type { Connection } from 'mongoose';
import type { ErasedUser, ErasureSource } from '../../graph/erasure.ts';
import type { AccountClock } from '../../kernel/clock/account-clock.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { queueKey, type RunTransaction } from '../../kernel/database/transaction.ts';
import { createUniqueValues } from '../../kernel/database/unique-values.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { NewEvent } from '../../runtime/events/index.ts';
import type { EraseUser } from '../commands/erase-user.ts';
import { createErasures, type Erasures } from '../store/erasures.ts';
import { createUsersModels } from '../store/model.ts';
import { type Blocker, statusOf, type UserRecord } from '../user.ts';

/** Erases the personal data of users. */
export interface UserErasure {
  /**
   * Only marks a user, in one transaction; {@link resume} erases the rest. `isNew` is false for a user that was marked before.
   * The mark blocks the user: `by` is the caller of that block.
   * Fails with USER_NOT_FOUND, USER_HAS_OPEN_PAYMENTS.
   */
  request(
    user: ErasedUser,
    command: EraseUser,
    by: Blocker,
  ): Promise<Result<{ user: UserRecord; isNew: boolean }>>;
  /**
   * Marks a user and erases what all slices have of it. From the mark on the user answers without personal data, and every new
   * record of it is refused. When the rest takes longer than `INLINE_MS`, the answer has no `erasedAt` yet, and
   * {@link resume} does what is left. Repeating the call has no effect on an erased user. Fails as {@link request} does.
   */
  erase(user: ErasedUser, command: EraseUser, by: Blocker): Promise<Result<UserRecord>>;
  /** Goes on with all erasures that are not done: of calls that took too long, and of processes that died. */
  resume(signal: AbortSignal): Promise<void>;
}

interface ErasureDeps {
  readonly connection: Connection;
  readonly box: Box;
  readonly transaction: RunTransaction;
  readonly events: { append(events: readonly NewEvent[], unit: UnitOfWork): void };
  readonly sources: readonly ErasureSource[];
  readonly accountClock: AccountClock;
}

type Deps = Omit<ErasureDeps, 'connection' | 'box'> & { readonly users: Erasures };

/** A call waits so long for the whole erasure. */
const INLINE_MS = 5_000;
/** Most erasures of one run of the job. */
const AT_ONCE = 20;

export function createUserErasure({ connection, box, ...rest }: ErasureDeps): UserErasure {
  const users = createErasures({
    model: createUsersModels(connection).users,
    unique: createUniqueValues(connection),
    box,
  });
  const deps = { ...rest, users };
  return {
    request: (user, command, by) => mark(deps, user, { ...command, by }),
    erase: async (user, command, by) => {
      const marked = await mark(deps, user, { ...command, by });
      if (!marked.ok) {
        return marked;
      }
      if (marked.value.user.erasedAt) {
        return succeed(marked.value.user);
      }
      await completeInTime(deps, user);
      return succeed((await users.find(user)) ?? marked.value.user);
    },
    resume: (signal) => resume(deps, signal),
  };
}

/** It takes the user's turn: against many transactions that hold the user, it would lose one conflict after another. */
function mark(
  deps: Deps,
  user: ErasedUser,
  { reason, by }: EraseUser & { readonly by: Blocker },
): ReturnType<UserErasure['request']> {
  const { users, transaction, accountClock } = deps;
  return transaction(
    async (unit): ReturnType<UserErasure['request']> => {
      const found = await users.find(user, unit);
      if (!found) {
        return fail('USER_NOT_FOUND');
      }
      if (found.erasureRequestedAt) {
        return succeed({ user: found, isNew: false });
      }
      const at = accountClock(user.accountId);
      if (await hasOpen(deps, user, at, unit)) {
        return fail('USER_HAS_OPEN_PAYMENTS');
      }
      const marked = await users.mark(found, { reason, by, at }, unit);
      deps.events.append([toEvent('user.erasure_requested', found, marked, at)], unit);
      return succeed({ user: marked, isNew: true });
    },
    queueKey(user.accountId, user),
  );
}

/** One after the other: they share the session of the transaction. */
async function hasOpen({ sources }: Deps, user: ErasedUser, at: Date, unit: UnitOfWork): Promise<boolean> {
  for (const source of sources) {
    if (await source.hasOpen(user, at, unit)) {
      return true;
    }
  }
  return false;
}

async function completeInTime(deps: Deps, user: ErasedUser): Promise<void> {
  const signal = AbortSignal.timeout(INLINE_MS);
  try {
    await complete(deps, user, signal);
  } catch (error) {
    if (error !== signal.reason) {
      throw error;
    }
  }
}

/** Erases everything, then says so. Runs beside each other do the same work, and one of them says so. */
async function complete(deps: Deps, user: ErasedUser, signal: AbortSignal): Promise<void> {
  const { sources, users, transaction, accountClock, events } = deps;
  for (const source of sources) {
    await source.erase(user, signal);
  }
  await transaction(
    async (unit) => {
      const found = await users.find(user, unit);
      if (!found || found.erasedAt) {
        return;
      }
      const at = accountClock(user.accountId);
      if (await hasOpen(deps, user, at, unit)) {
        // A call that had read the user before the mark was accepted. It fails within moments, and the next run erases it.
        return;
      }
      const finished = users.finish(found, at, unit);
      events.append([toEvent('user.erased', found, finished, at)], unit);
    },
    queueKey(user.accountId, user),
  );
}

/** An erasure that fails does not keep the others from going on. @throws the first error */
async function resume(deps: Deps, signal: AbortSignal): Promise<void> {
  const errors: unknown[] = [];
  for (const user of await deps.users.unfinished(AT_ONCE)) {
    try {
      await complete(deps, user, signal);
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      errors.push(error);
    }
  }
  if (errors.length > 0) {
    throw errors[0];
  }
}

function toEvent(type: string, before: UserRecord, after: UserRecord, occurredAt: Date): NewEvent {
  return {
    accountId: after.accountId,
    entity: 'user',
    entityId: after.userId,
    version: after.version ?? 1,
    type,
    previousStatus: statusOf(before),
    status: statusOf(after),
    occurredAt,
  };
}
