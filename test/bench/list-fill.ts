import type { mongo } from 'mongoose';
import type { Box } from '../../subgraphs/kernel/crypto/box.ts';
import type { BenchDatabase } from './stand.ts';

/** Operations of a user who has any, and contacts. */
export const OPERATIONS_OF_A_USER = 20;
const CONTACTS_OF_A_USER = 8;

const BATCH = 4_000;
/** Batches under way at once: one is made while the other is stored. */
const LANES = 2;
const MINUTE_MS = 60_000;
const STATUSES = [...Array<string>(16).fill('Completed'), 'Sent', 'InTransit', 'Failed', 'Cancelled'];
const CIP_STATUSES = [...Array<string>(6).fill('verified'), 'pending', 'pending', 'pending', 'failed'];
const FLOWS = ['cip', 'transfer', 'request_money'];
const LINK_STATUSES = ['created', 'created', 'created', 'opened', 'revoked'];
/** One in so many. */
const BLOCKED = 50;
const ACTIVE = 10;

/** A field that is sealed, and what stands for it in the context of its bytes. */
interface Sealed {
  readonly field: string;
  readonly purpose: string;
}

/** How a collection is filled: the nth copy of a document of the product, its keys and times its own. */
interface Filling {
  readonly collection: string;
  readonly total: number;
  readonly sealed?: Sealed;
  own(number: number, createdAt: Date): mongo.Document & { _id: string };
}

/** The user that the nth operation, and the nth link, belongs to. */
export function userIdOf(number: number): string {
  return `usr_${numbered(number, 20)}`;
}

/** The partner's own id of that user. */
export function referenceOf(number: number): string {
  return `u-${number}`;
}

/**
 * Fills a database with `total` users, links and operations, as years of use would leave them: copies of those that the
 * product has made in it, what is sealed sealed for each by the product's own box. The indexes are there from the start:
 * SecantusDB had not made the first over a million documents after minutes.
 */
export async function fillLists(database: BenchDatabase, box: Box, total: number): Promise<void> {
  for (const filling of fillingsOf(total)) {
    await fill(database, box, filling);
  }
}

/** Fills a database with `total` operations alone, and with the users whose they are. */
export async function fillOperations(database: BenchDatabase, box: Box, total: number): Promise<void> {
  for (const filling of fillingsOf(total)) {
    if (filling.collection === 'operations') {
      await fill(database, box, filling);
    }
    if (filling.collection === 'users') {
      await fill(database, box, { ...filling, total: Math.ceil(total / OPERATIONS_OF_A_USER) });
    }
  }
}

function fillingsOf(total: number): Filling[] {
  const users = Math.ceil(total / OPERATIONS_OF_A_USER);
  const contactId = (number: number) => `con_${numbered(number, 20)}`;
  const methodId = (number: number) => `pm_${numbered(number, 20)}`;
  return [
    {
      collection: 'users',
      total,
      sealed: { field: 'profile', purpose: 'profile' },
      own: (number, createdAt) => ({
        _id: userIdOf(number),
        referenceId: referenceOf(number),
        phoneKey: numbered(number, 43),
        cipStatus: CIP_STATUSES[number % CIP_STATUSES.length],
        blocked: number % BLOCKED === 0,
        ...made(createdAt),
      }),
    },
    {
      collection: 'contacts',
      total: users * CONTACTS_OF_A_USER,
      sealed: { field: 'person', purpose: 'person' },
      own: (number, createdAt) => ({
        _id: contactId(number),
        userId: userIdOf(number % users),
        phoneKey: numbered(number, 43),
        requests: 1 + (Math.floor(number / users) % CONTACTS_OF_A_USER),
        lastRequestedAt: createdAt,
        createdAt,
      }),
    },
    {
      collection: 'paymentMethods',
      total: users,
      sealed: { field: 'number', purpose: 'number' },
      own: (number, createdAt) => ({
        _id: methodId(number),
        userId: userIdOf(number),
        fingerprint: numbered(number, 43),
        isPrimary: true,
        createdAt,
      }),
    },
    {
      collection: 'operations',
      total,
      own: (number, createdAt) => ({
        _id: `o_${numbered(number, 20)}`,
        operationId: `corr-${number}`,
        code: numbered(number, 10),
        platId: `plat_${numbered(number, 20)}`,
        userId: userIdOf(number % users),
        contactId: contactId(number % (users * CONTACTS_OF_A_USER)),
        paymentMethodId: methodId(number % users),
        // Of each user some in every status: the number of the user's operation counts, not that of all.
        status: STATUSES[(number + Math.floor(number / users)) % STATUSES.length],
        ...made(createdAt),
      }),
    },
    {
      collection: 'links',
      total,
      sealed: { field: 'userData', purpose: 'userData' },
      own: (number, createdAt) => ({
        _id: `lnk_${numbered(number, 20)}`,
        userId: userIdOf(number % users),
        referenceId: referenceOf(number % users),
        flow: FLOWS[number % FLOWS.length],
        url: `https://widget.acme.test/w/${numbered(number, 22)}`,
        ...stateOf(Math.floor(number / users) + number, createdAt),
        ...made(createdAt),
      }),
    },
  ];
}

function made(createdAt: Date) {
  return { createdAt, updatedAt: createdAt };
}

/** The active ones have a day yet; those that the product would take note of first are none. */
function stateOf(number: number, createdAt: Date): mongo.Document {
  const isActive = number % ACTIVE === 0;
  return {
    status: LINK_STATUSES[Math.floor(number / ACTIVE) % LINK_STATUSES.length],
    visibility: isActive ? 'active' : 'expired',
    expiresAt: new Date((isActive ? Date.now() : createdAt.getTime()) + 1440 * MINUTE_MS),
  };
}

/** As long as the product's random ids and digests, but in order: indexes that grow at their end fill sooner. */
function numbered(number: number, length: number): string {
  return String(number).padStart(length, '0');
}

async function fill({ connection }: BenchDatabase, box: Box, filling: Filling): Promise<void> {
  const collection = connection.collection<mongo.Document & { _id: string }>(filling.collection);
  const sample = await collection.findOne();
  if (sample === null) {
    throw new Error(`There is nothing to copy in ${filling.collection}`);
  }
  const seal = sealer(box, sample, filling.sealed);
  const now = Date.now();
  let next = 0;
  const work = async () => {
    while (next < filling.total) {
      const first = next;
      next = Math.min(first + BATCH, filling.total);
      const batch = Array.from({ length: next - first }, (_, index) => {
        const createdAt = new Date(now - (filling.total - first - index) * MINUTE_MS);
        const own = filling.own(first + index, createdAt);
        return { ...sample, ...own, ...seal(own._id) };
      });
      await collection.insertMany(batch, { ordered: false });
    }
  };
  await Promise.all(Array.from({ length: LANES }, work));
}

/** A sealed value is bound to tenant, field and record: each copy has its own bytes. */
function sealer(
  box: Box,
  sample: mongo.Document,
  sealed: Sealed | undefined,
): (id: string) => mongo.Document {
  if (sealed === undefined) {
    return () => ({});
  }
  const { field, purpose } = sealed;
  const contextOf = (id: string) => `${sample.accountId}|${purpose}|${id}`;
  const plaintext = box.open((sample[field] as mongo.Binary).buffer, contextOf(sample._id));
  return (id) => ({ [field]: box.seal(plaintext, contextOf(id)) });
}
