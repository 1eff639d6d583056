/** Static records: 20 operations of 10 users, 2 links a user, 6 money requests a link. */

interface OperationRecord {
  readonly id: string;
  readonly status: string;
  readonly amount: string;
  readonly currency: string;
  readonly userId: string;
}

interface UserRecord {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly cipStatus: string;
}

export interface LinkRecord {
  readonly id: string;
  readonly status: string;
  readonly lastUsedAt: string | null;
}

export interface MoneyRequestRecord {
  readonly referenceId: string;
  readonly status: string;
  readonly amount: string;
  readonly currency: string;
  readonly reason: string;
  readonly expiresAt: string;
  readonly userId: string;
  readonly operationId: string;
}

const OPERATIONS = 20;
const USERS = 10;
const LINKS_PER_USER = 2;
const MONEY_REQUESTS_PER_LINK = 6;

const FIRST_NAMES = ['Ana', 'José', 'Lucía', 'Mateo', 'Sofía'];
const LAST_NAMES = ['García López', 'Núñez', 'Hernández', 'Peña'];

function pick<T>(values: readonly T[], index: number): T {
  return values[index % values.length] as T;
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function id(prefix: string, index: number): string {
  return `${prefix}_${(index + 1).toString().padStart(20, '0')}`;
}

function amount(index: number): string {
  return `${100 + index * 7}.${((index * 13) % 90) | 10}`;
}

export const users: ReadonlyMap<string, UserRecord> = new Map(
  times(USERS, (index) => [
    id('usr', index),
    {
      id: id('usr', index),
      firstName: pick(FIRST_NAMES, index),
      lastName: pick(LAST_NAMES, index),
      cipStatus: pick(['VERIFIED', 'PENDING', 'VERIFIED', 'REJECTED'], index),
    },
  ]),
);

export const operations: ReadonlyMap<string, OperationRecord> = new Map(
  times(OPERATIONS, (index) => [
    id('op', index),
    {
      id: id('op', index),
      status: pick(['DELIVERED', 'PENDING', 'SENT', 'FAILED'], index),
      amount: amount(index),
      currency: pick(['MXN', 'USD'], index),
      userId: id('usr', index % USERS),
    },
  ]),
);

/** By user. */
export const linksOf: ReadonlyMap<string, readonly LinkRecord[]> = new Map(
  times(USERS, (user) => [
    id('usr', user),
    times(LINKS_PER_USER, (index) => ({
      id: id('link', user * LINKS_PER_USER + index),
      status: pick(['ACTIVE', 'EXPIRED', 'ACTIVE', 'REVOKED'], user + index),
      lastUsedAt: index === 0 ? `2026-11-${10 + user}T08:30:00.000Z` : null,
    })),
  ]),
);

/** By link. */
export const moneyRequestsOf: ReadonlyMap<string, readonly MoneyRequestRecord[]> = new Map(
  times(USERS * LINKS_PER_USER, (link) => [
    id('link', link),
    times(MONEY_REQUESTS_PER_LINK, (index) => ({
      referenceId: id('req', link * MONEY_REQUESTS_PER_LINK + index),
      status: pick(['OPEN', 'PAID', 'CANCELLED'], link + index),
      amount: amount(link + index),
      currency: 'MXN',
      reason: pick(['Rent of November', 'School fees', 'Doctor "Ríos"'], index),
      expiresAt: `2026-12-${10 + index}T12:00:00.000Z`,
      userId: id('usr', (link + index) % USERS),
      operationId: id('op', (link + index) % OPERATIONS),
    })),
  ]),
);
