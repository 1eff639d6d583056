import { type BulkheadPolicy, bulkhead } from 'cockatiel';
import { defaultFieldResolver, type GraphQLField, type GraphQLSchema, isObjectType } from 'graphql';
import type { AccountId } from '../kernel/account.ts';
import { POOL_SIZE } from '../kernel/database/connect.ts';
import type { RequestContext } from '../kernel/principal.ts';

/** Lists and counts of one account that are read at once: a quarter of the connections to the database. */
const LISTS_AT_ONCE = Math.floor(POOL_SIZE / 4);
/** Fields that read up to 20 indexes at once. Of one account, one is read at a time. */
const WIDE_FIELDS: ReadonlySet<string> = new Set([
  'search',
  'timeline',
  'undeliveredWebhooks',
  'operationTotals',
  'requestMoneyTotals',
  'payments',
  'paymentTotals',
  'lastActivityAt',
]);
const WIDE_AT_ONCE = 1;
/** Fields that read many documents without the size of a page. */
const LIST_FIELDS: ReadonlySet<string> = new Set(['totalCount', 'figures', 'failedCalls']);
/** Arguments for the size of a page. */
const PAGE_SIZES: ReadonlySet<string> = new Set(['first', 'limit']);

interface Share {
  readonly lists: BulkheadPolicy;
  readonly wide: BulkheadPolicy;
}

/** Each account's share of the reads of a process. */
export type ReadShares = (accountId: AccountId) => Share;

/** Makes the shares of a process: all its subgraphs use the same connections. An account has one from its first list on. */
export function createReadShares(): ReadShares {
  const shares = new Map<AccountId, Share>();
  return (accountId) => {
    const share = shares.get(accountId) ?? {
      lists: bulkhead(LISTS_AT_ONCE, Number.POSITIVE_INFINITY),
      wide: bulkhead(WIDE_AT_ONCE, Number.POSITIVE_INFINITY),
    };
    shares.set(accountId, share);
    return share;
  };
}

/**
 * Makes every field that reads a list or a count wait until its account has room for it. One query may ask a thousand parents
 * for a page each: a thousand commands, for which all other accounts would wait. Fields that are read together, by key, need no
 * limit: a batch is one command. A field holds its place only while its own resolver runs, so none waits for another. A read
 * whose operation has ended meanwhile does not begin. Changes the schema.
 */
export function limitReads(schema: GraphQLSchema, shareOf: ReadShares): void {
  const unlimited = [schema.getMutationType(), schema.getSubscriptionType()];
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const field of unlimited.includes(type) ? [] : Object.values(type.getFields())) {
      if (WIDE_FIELDS.has(field.name)) {
        limit(field, (accountId) => shareOf(accountId).wide);
      } else if (LIST_FIELDS.has(field.name) || field.args.some(({ name }) => PAGE_SIZES.has(name))) {
        limit(field, (accountId) => shareOf(accountId).lists);
      }
    }
  }
}

function limit(
  field: GraphQLField<unknown, RequestContext>,
  placesOf: (accountId: AccountId) => BulkheadPolicy,
): void {
  const { resolve = defaultFieldResolver } = field;
  field.resolve = (source, args, context, info) => {
    const read = () => {
      context.signal?.throwIfAborted();
      return resolve(source, args, context, info);
    };
    return context.principal ? placesOf(context.principal.accountId).execute(read) : read();
  };
}
