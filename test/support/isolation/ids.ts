import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** Ids that partners and their users bring along, and how a new one is made. */
const CHOSEN = {
  /** Of a registered user. */
  phoneNumber: newPhone,
  email: newEmail,
  /** Of the requester of an atomic call. */
  atomicPhone: newPhone,
  atomicEmail: newEmail,
  contactPhone: newPhone,
  contactEmail: newEmail,
  /** Number of a bank account to pay out to. */
  account: () => digits(18),
  /** Of an operation of request-money-v2. */
  correlationId: newWord,
  /** Of an atomic call that came to an operation, and of one that failed. */
  atomicId: newWord,
  failedId: newWord,
  /** The partner's own id of a user: of its links and its money request. */
  userReferenceId: newWord,
  /** Of a money request. */
  referenceId: () => randomBytes(4).toString('hex'),
  idempotencyKey: newWord,
  /** The request id of the call that made the money request. */
  callId: newWord,
  /** Of a statement: partners have statements of the same days. */
  statementId: () => `${newDay()}-USD`,
} as const;

/** Ids that the product makes. */
export type MadeName =
  | 'userId'
  | 'atomicUserId'
  | 'linkUserId'
  | 'contactId'
  | 'cardId'
  | 'accountId'
  | 'linkId'
  | 'ticketId'
  | 'dataRequestId'
  | 'requestId'
  | 'operationId'
  | 'remittanceId'
  | 'deliveryId'
  | 'endpointId'
  | 'replayId'
  /** Of an atomic call that was refused. */
  | 'refusedId'
  | 'discrepancyId'
  | 'browserTokenId'
  | 'consoleSessionId'
  | 'apiKeyId'
  /** Of quotes that nothing has used, one for each call that takes one, by REST and by GraphQL. */
  | QuoteName;

export const QUOTE_NAMES = [
  'quoteOfRestMoneyRequest',
  'quoteOfRestV2',
  'quoteOfRestAtomic',
  'quoteOfMoneyRequest',
  'quoteOfV2',
  'quoteOfAtomic',
] as const;
type QuoteName = (typeof QUOTE_NAMES)[number];

export type ChosenName = keyof typeof CHOSEN;
/** `cursor:links` is one of the list `links`, `cursor:events` one of the event log. */
export type IdName = ChosenName | MadeName | `cursor:${string}`;

/** One id for each name: those of a tenant's records, or ids that nobody has. */
export type Ids = ReadonlyMap<IdName, string>;

/** Reads one of a set. @throws for a name that the set has not */
export type GetId = (name: IdName) => string;

export function newChosenIds(): Record<ChosenName, string> {
  return Object.fromEntries(Object.entries(CHOSEN).map(([name, make]) => [name, make()])) as Record<
    ChosenName,
    string
  >;
}

/** Ids that nobody has, each of the shape and length of the given one: answers that repeat it are as long. */
export function unknownLike(ids: Ids): Ids {
  return new Map([...ids].map(([name, value]) => [name, unknownOf(name, value)]));
}

export function getterOf(ids: Ids): GetId {
  return (name) => {
    const value = ids.get(name);
    if (value === undefined) {
      throw new Error(`There is no ${name}`);
    }
    return value;
  };
}

/** The id by which `node` finds an entity; its owner reads that it does. */
export function nodeIdOf(type: string, id: string): string {
  return Buffer.from(`${type}:${id}`).toString('base64url');
}

function unknownOf(name: IdName, value: string): string {
  if (name in CHOSEN) {
    return CHOSEN[name as ChosenName]();
  }
  if (name === 'cursor:events') {
    return randomBytes(44).toString('base64url');
  }
  return name.startsWith('cursor:') ? cursorLike(value) : madeLike(value);
}

/** The same place in time, with a record that does not exist. */
function cursorLike(cursor: string): string {
  const [, place, id] = /^(\w+:\d+:)(.+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (place === undefined || id === undefined) {
    throw new Error(`Not a cursor: ${cursor}`);
  }
  return Buffer.from(place + madeLike(id)).toString('base64url');
}

function madeLike(id: string): string {
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(id)) {
    return randomUUID();
  }
  if (/^[0-9a-f]{24}$/.test(id)) {
    return randomBytes(12).toString('hex');
  }
  const [, owner, own = ''] = /^([\w/]+\|)(\w{10}|[\d-]{10}-USD)$/.exec(id) ?? [];
  if (owner !== undefined) {
    return owner + (own.endsWith('-USD') ? CHOSEN.statementId() : newWord());
  }
  const [, prefix] = /^([a-z]+_)[\w-]{20}$/.exec(id) ?? [];
  if (prefix === undefined) {
    throw new Error(`Not an id of a known shape: ${id}`);
  }
  return prefix + randomBytes(15).toString('base64url');
}

const PHONES = 100_000;
let phones = randomInt(PHONES);

/** A number of San Francisco; no two in a process are alike. */
export function newPhone(): string {
  phones = (phones + 1) % PHONES;
  return `+141555${String(phones).padStart(5, '0')}`;
}

function newEmail(): string {
  return `${newWord()}@mail.test`;
}

/** Ten letters that no two tenants have in common; no digits, so that it may be a name. */
export function newWord(): string {
  const letters = Array.from({ length: 10 }, () => String.fromCharCode(97 + randomInt(26)));
  return letters.join('');
}

function digits(count: number): string {
  return Array.from({ length: count }, () => randomInt(10)).join('');
}

/** A day after the beginning of Unix time, when no account has entries, and before the birthdays that calls have. */
function newDay(): string {
  return new Date(Date.UTC(1971, 0, 1 + randomInt(6_500))).toISOString().slice(0, 10);
}
