import { type DevStoreServer, devStoreServer } from '../../../subgraphs/kernel/database/dev-store-server.ts';
/** A promise that the development store does not keep, and that the product does without. */
export interface KnownDifference {
  /** Name of the check that fails. */
  readonly check: string;
  /** The development store's servers that differ. */
  readonly servers: readonly DevStoreServer[];
  /** The other behaviour of the server, in a sentence. */
  readonly difference: string;
  /** The way of the product around it, in a sentence that follows "The product:". */
  readonly workaround: string;
  /** The first column of its row in `subgraphs/dev-store/README.md`, or words of its sentence there. */
  readonly row: string;
  /** Whether the check passes at times, because the difference needs a race. */
  readonly sometimes?: true;
}

/** Names of checks whose unique value stays taken for ever. */
const VALUE_STAYS_TAKEN = [
  'partial unique indexes: a value removed is free',
  'partial unique indexes: a value changed is free',
  'unique indexes: a value changed is free',
];

/** Names of checks of plans that fail by what `explain` answers. */
const PLANS_OF_PYTHON = [
  'plans: money request by id',
  'plans: user by reference',
  'plans: claim of a webhook',
  'plans: events after a number',
  'plans: all other statements',
];

/** All of them. */
export const DIFFERENCES: readonly KnownDifference[] = [
  ...VALUE_STAYS_TAKEN.map(
    (check): KnownDifference => ({
      check,
      servers: ['rust'],
      difference: 'The old value of a changed unique field stays taken.',
      workaround: 'has unique indexes only on fields that never change.',
      row: 'subgraphs/webhooks/bulk-replay-model.ts',
    }),
  ),
  {
    check: 'races: upserts of one document',
    servers: ['rust', 'python'],
    difference: 'An upsert that meets another one updates, but answers that it has found nothing.',
    workaround: 'updates, and makes what is missing by insert.',
    row: 'subgraphs/runtime/leases/leases.ts',
    sometimes: true,
  },
  {
    check: 'queries: inclusive bounds within a compound index',
    servers: ['python'],
    difference: 'Values equal to an inclusive bound are left out when the index has further fields.',
    workaround: 'uses exclusive bounds, a millisecond further.',
    row: 'subgraphs/kernel/database/time-bounds.ts',
  },
  {
    check: 'queries: fields in any order beside a partial index',
    servers: ['rust'],
    difference: 'Nothing is found by two fields, one of a partial index, that stand before the account.',
    workaround: 'names the account first.',
    row: 'subgraphs/kernel/database/of-account.ts',
  },
  {
    check: 'queries: times of one document compared',
    servers: ['rust'],
    difference: 'A filter that computes with times of a document is rejected.',
    workaround: 'compares them in the process.',
    row: 'subgraphs/runtime/work/bring-back.ts',
  },
  {
    check: 'queries: sums over a list',
    servers: ['rust', 'python'],
    difference: '$sum over a path is 0.',
    workaround: 'adds up by $reduce.',
    row: 'subgraphs/runtime/limits/rate-limiter.ts',
  },
  ...PLANS_OF_PYTHON.map(
    (check): KnownDifference => ({
      check,
      servers: ['python'],
      difference:
        'explain names a read of the whole collection for a filter by _id, which is fast, and for indexes that are partial by $exists, which is slow.',
      workaround: 'needs none where it is fast; elsewhere it keeps to few documents on this store.',
      row: 'names a read of the whole collection in `explain`',
    }),
  ),
];

/** The known differences of the server that answers `buildInfo` so: none for MongoDB. */
export function knownDifferences(buildInfo: Readonly<Record<string, unknown>>): readonly KnownDifference[] {
  const server = devStoreServer(buildInfo);
  return server === undefined ? [] : DIFFERENCES.filter(({ servers }) => servers.includes(server));
}
