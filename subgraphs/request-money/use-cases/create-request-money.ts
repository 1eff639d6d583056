import type { AccountId } from '../../kernel/account.ts';
import { newId } from '../../kernel/database/ids.ts';
import { isDuplicateKey, queueKey } from '../../kernel/database/transaction.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Quote } from '../../kernel/money/quote.ts';
import { once } from '../../kernel/once.ts';
import { QuoteUnusableError } from '../../operations/index.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import { type AccountState, refusalOf, UserNotAllowedError } from '../../users/index.ts';
import type { CreateCommand } from '../commands/create-request-money.ts';
import type { ReadCreate } from '../commands/read-create-request-money.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import { MONEY_REQUEST_STATES } from '../lifecycle.ts';
import type { Fingerprint } from '../store/idempotency-repository.ts';
import type { CreateResult, MoneyRequest, ResolvedCorridor } from '../store/model.ts';
import { chooseRoute, deriveCorridor, priceCreate, type RoutedCorridor } from './corridor.ts';
import { mintPayerLinks } from './payer-links.ts';
import { publishFailure, publishMove } from './publish-events.ts';
import type { Screened } from './screening.ts';

/** A create gives up after it was overtaken this often (by calls with the same reference, idempotency key, quote or user). */
const RACES = 4;

/** The result of a create. */
export interface CreatedMoneyRequest extends CreateResult {
  /** Whether an earlier create with the same idempotency key made it. */
  readonly isReplay: boolean;
}

/**
 * Creates a money request: body, idempotency, blocked user, corridor, price, screening, then everything is saved in one
 * transaction, which checks again that the user is not blocked (decisions, section 3, "Check order", and section 7, "Blocked
 * users"). The events of a failure are saved before it is answered.
 * Failures: those of the body; IDEMPOTENCY_KEY_REUSED, LEGACY_REFERENCE_EXISTS, USER_BLOCKED or USER_ERASED, those of the corridor,
 * those of {@link priceCreate}, and those of screening.
 */
export async function createMoneyRequest(
  deps: RequestMoneyDeps,
  tenant: Tenant,
  create: ReadCreate,
): Promise<Result<CreatedMoneyRequest>> {
  const { command, referenceId } = create;
  const created = command.ok ? await attempt(deps, tenant, command.value, create) : command;
  if (!created.ok) {
    await publishFailure(deps, tenant, { referenceId, stage: 'create', failures: created.failures });
  }
  return created;
}

async function attempt(
  deps: RequestMoneyDeps,
  tenant: Tenant,
  command: CreateCommand,
  { idempotencyKey: key, surface, body }: ReadCreate,
): Promise<Result<CreatedMoneyRequest>> {
  const { accountId } = tenant;
  const retry =
    key === undefined ? undefined : deps.idempotency.fingerprint({ accountId, key, surface, body, command });
  const call = { accountId, referenceId: command.referenceId };
  const screen = once(() => deps.screening.screen(toScreened(command), call));
  for (let race = 1; ; race += 1) {
    const known = await recallConfirmed(deps, accountId, command, retry);
    if (known) {
      return known;
    }
    try {
      const created = await createNew(deps, tenant, { command, screen, retry });
      // An identical create beside this one may have used the quote.
      const isQuoted = !created.ok && command.quoteId !== undefined;
      return (isQuoted && (await recallConfirmed(deps, accountId, command, retry))) || created;
    } catch (error) {
      // Another call has saved the same reference, key or user, has used the quote, or has blocked the user: check again.
      const isOvertaken =
        isDuplicateKey(error) || error instanceof UserNotAllowedError || error instanceof QuoteUnusableError;
      if (!isOvertaken || race === RACES) {
        throw error;
      }
    }
  }
}

/**
 * {@link recall}, by a plain read first: most creates are new. An earlier create that it finds is read again in a transaction,
 * which ends only when a majority of the database's members has it. A failover may undo what a plain read sees: a create that
 * nobody has would be answered as made.
 */
async function recallConfirmed(
  deps: RequestMoneyDeps,
  accountId: AccountId,
  command: CreateCommand,
  retry: Fingerprint | undefined,
): Promise<Result<CreatedMoneyRequest> | undefined> {
  const found = await recall(deps, accountId, command, retry);
  return found && deps.transaction((unit) => recall(deps, accountId, command, retry, unit));
}

/** The result that an earlier create gives this one; undefined without an earlier one. */
async function recall(
  { moneyRequests, idempotency }: RequestMoneyDeps,
  accountId: AccountId,
  { referenceId }: CreateCommand,
  retry: Fingerprint | undefined,
  unit?: UnitOfWork,
): Promise<Result<CreatedMoneyRequest> | undefined> {
  // Reads the money request first. It is saved together with its key, so a call that sees it sees the key after it. In the other
  // order, an identical create that commits between the two reads would turn a retry into a duplicate.
  const taken = await moneyRequests.exists(accountId, referenceId, unit);
  const recalled = retry ? await idempotency.recall(retry, unit) : undefined;
  if (recalled?.kind === 'same') {
    return succeed({ ...recalled.result, isReplay: true });
  }
  if (taken || (recalled?.kind === 'other' && (await moneyRequests.exists(accountId, referenceId, unit)))) {
    return fail('LEGACY_REFERENCE_EXISTS');
  }
  return recalled?.kind === 'other' ? fail('IDEMPOTENCY_KEY_REUSED') : undefined;
}

interface NewCreate {
  readonly command: CreateCommand;
  /** Screens the requester. The provider is called once, however often the create is overtaken. */
  readonly screen: () => Promise<Result<'clear'>>;
  readonly retry: Fingerprint | undefined;
}

async function createNew(
  deps: RequestMoneyDeps,
  tenant: Tenant,
  { command, screen, retry }: NewCreate,
): Promise<Result<CreatedMoneyRequest>> {
  const { requestData } = command;
  const user = await deps.users.findByReference(tenant.accountId, requestData.userReferenceId);
  const refusal = user && refusalOf(user);
  if (refusal) {
    return fail(refusal);
  }
  const corridor = deriveCorridor(tenant.sourceCountry, command);
  if (!corridor.ok) {
    return corridor;
  }
  const routes = await deps.tenants.routes(corridor.value);
  const routed = chooseRoute(corridor.value, routes, command);
  if (!routed.ok) {
    return routed;
  }
  // After the corridor, which has the payer's country.
  const priced = await priceCreate(deps, tenant, command, routed.value.resolved);
  if (!priced.ok) {
    return priced;
  }
  const screened = await screen();
  if (!screened.ok) {
    return screened;
  }
  const created = await deps.transaction(
    (unit) =>
      saveNewMoneyRequest(
        deps,
        tenant,
        { command, user, routed: routed.value, price: priced.value, retry },
        unit,
      ),
    queueKey(tenant.accountId, { referenceId: requestData.userReferenceId }),
    'shared',
  );
  return succeed({ ...created, isReplay: false });
}

function toScreened({ requestData: { name, dob, address } }: CreateCommand): Screened {
  return { name, dob, country: address.country };
}

/** A create that has passed every check. */
interface CheckedCreate {
  readonly command: CreateCommand;
  /** The user's state a moment ago; undefined for a new user. */
  readonly user: AccountState | undefined;
  readonly routed: RoutedCorridor;
  /** The price that its quote has locked; undefined without a quote. */
  readonly price: Quote | undefined;
  /** The fingerprint of its retries, if it has an idempotency key. */
  readonly retry: Fingerprint | undefined;
}

/**
 * Saves a money request with its user, its idempotency key, its events and webhooks, in the caller's transaction, which only
 * writes. The transaction ends with a duplicate key error when another call has saved the reference, the key or the user
 * meanwhile, with QuoteUnusableError when its quote was used or has expired, and with UserNotAllowedError when the user was blocked.
 */
function saveNewMoneyRequest(
  deps: RequestMoneyDeps,
  tenant: Tenant,
  { command, user, routed: { resolved, warnings }, price, retry }: CheckedCreate,
  unit: UnitOfWork,
): CreateResult {
  const userId = saveUser(deps, tenant, { command, user }, unit);
  const at = deps.accountClock(tenant.accountId);
  const moneyRequest = newMoneyRequest(tenant, { command, resolved, price }, userId, at);
  const { requestData: _, ...answered } = moneyRequest;
  const result: CreateResult = { moneyRequest: answered, warnings };
  if (command.quoteId !== undefined) {
    deps.operations.quotes.use({ accountId: tenant.accountId, quoteId: command.quoteId, at }, unit);
  }
  deps.moneyRequests.insert(moneyRequest, unit);
  if (retry) {
    deps.idempotency.keep(retry, result, unit);
  }
  publishMove(deps, tenant, moneyRequest, null, unit);
  return result;
}

function saveUser(
  { users }: RequestMoneyDeps,
  { accountId }: Tenant,
  { command, user }: Pick<CheckedCreate, 'command' | 'user'>,
  unit: UnitOfWork,
): string {
  if (user) {
    users.requireUnblocked(accountId, user.userId, unit);
    return user.userId;
  }
  const { userReferenceId: referenceId } = command.requestData;
  return users.insertByReference({ accountId, referenceId, profile: toProfile(command) }, unit).userId;
}

function toProfile({ requestData: { name, dob, address } }: CreateCommand) {
  const { secondName, secondLastName } = name;
  return {
    firstName: name.firstName,
    lastName: name.lastName,
    ...(secondName === undefined ? {} : { secondName }),
    ...(secondLastName === undefined ? {} : { secondLastName }),
    ...(dob === undefined ? {} : { dob }),
    country: address.country,
  };
}

function newMoneyRequest(
  tenant: Tenant,
  { command, resolved, price }: Pick<CheckedCreate, 'command' | 'price'> & { resolved: ResolvedCorridor },
  userId: string,
  now: Date,
): MoneyRequest {
  return {
    requestId: newId('req_'),
    accountId: tenant.accountId,
    referenceId: command.referenceId,
    userReferenceId: command.requestData.userReferenceId,
    userId,
    amount: command.amount,
    currency: command.currency,
    status: 'pending',
    statusDetails: MONEY_REQUEST_STATES.pending.details,
    version: 1,
    ...mintPayerLinks(tenant, command),
    resolved,
    ...(price && { price }),
    requestData: command.requestData,
    expiresAt: new Date(now.getTime() + command.expiresInMinutes * 60_000),
    createdAt: now,
    updatedAt: now,
  };
}
