import type { AccountClock } from '../kernel/clock/account-clock.ts';
import type { BlindIndex } from '../kernel/crypto/blind-index.ts';
import type { Box } from '../kernel/crypto/box.ts';
import type { RunTransaction } from '../kernel/database/transaction.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Logger } from '../kernel/log/log.ts';
import type { Journal } from '../ledger/index.ts';
import type { LinksPort } from '../links/index.ts';
import type { Tenants } from '../partners/tenants/service.ts';
import type { Providers } from '../providers/types.ts';
import type { NewEvent } from '../runtime/events/index.ts';
import type { UsersPort } from '../users/index.ts';
import type { AskedRequests, FulfilledMoneyRequests } from './port.ts';
import type { OperationIds } from './store/operation-ids.ts';
import type { OperationRepository } from './store/operation-repository.ts';
import type { Quotes } from './store/quotes.ts';
import type { Reservations } from './store/reservations.ts';

/** The dependencies for writing operations in a caller's transaction. */
export interface OperationWriting {
  operations: OperationRepository;
  operationIds: OperationIds;
  /** Seals texts that people write. */
  box: Box;
  users: Pick<UsersPort, 'countRequest'>;
  links: Pick<LinksPort, 'attachOperation' | 'recordOperationChange'>;
  events: { append(events: readonly NewEvent[], unit: UnitOfWork): void };
  journal: Journal;
  /** Makes support codes. */
  newCode: () => string;
}

/** The dependencies of the slice's use cases. */
export interface OperationsDeps extends OperationWriting {
  users: UsersPort;
  reservations: Reservations;
  quotes: Quotes;
  /** Makes the digests that recognise a repeated request. */
  blindIndex: BlindIndex;
  moneyRequests: FulfilledMoneyRequests;
  /** Atomic calls. */
  remittances: AskedRequests;
  tenants: Pick<Tenants, 'find' | 'environments' | 'routesBetween' | 'fxRate'>;
  providers: Pick<Providers, 'cards' | 'ubn' | 'funding' | 'requireConfigured'>;
  transaction: RunTransaction;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** The time by which work is due, leased and found stuck. */
  clock: () => Date;
  /** The time of an account's records. */
  accountClock: AccountClock;
  /** Whether the machine's clock is right. While it is not, no withdrawal begins, and no request by v2 is taken. */
  isClockRight: () => boolean;
}
