import type { QueryFilter } from 'mongoose';
import { z } from 'zod';
import { type Page, paginate } from '../../graph/paginate.ts';
import type { AccountId } from '../../kernel/account.ts';
import { toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { ofAccount } from '../../kernel/database/of-account.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { readBody } from '../../kernel/json/read-body.ts';
import { freeText } from '../../kernel/json/schemas.ts';
import { keysOf, omit } from '../../kernel/objects.ts';
import type { Principal } from '../../kernel/principal.ts';
import {
  DISCREPANCY_STATES,
  type DiscrepancyDocument,
  type DiscrepancyState,
  type SettlementModels,
  UNSETTLED,
} from './model.ts';

/** The most changes of a discrepancy. */
const MOST_CHANGES = 100;

const changeSchema = z.object({
  /** ISO 8601 */
  at: z.string(),
  /** Label of the console session, or id of the API key; null for an import. */
  by: z.string().nullable(),
  state: z.enum(keysOf(DISCREPANCY_STATES)),
  owner: z.string().nullable(),
  note: z.string().nullable(),
});
const logSchema = z.array(changeSchema);
const textsSchema = z.object({ owner: freeText(100).nullish(), note: freeText(500).nullish() });

/** A change of a discrepancy, in its log. */
type DiscrepancyChange = Readonly<z.output<typeof changeSchema>>;

/** A discrepancy with its log readable. */
export interface Discrepancy extends Omit<DiscrepancyDocument, 'log'> {
  /** Null for nobody. */
  readonly owner: string | null;
  readonly log: readonly DiscrepancyChange[];
}

/** A decision about a discrepancy, of the version that the caller has seen. */
interface Resolution {
  readonly id: string;
  readonly version: number;
  readonly state: DiscrepancyState;
  /** Absent: it stays. Empty: nobody. */
  readonly owner?: string | null | undefined;
  readonly note?: string | null | undefined;
}

interface DiscrepanciesDeps {
  readonly model: SettlementModels['discrepancies'];
  /** Seals logs, because people write owners and notes. */
  readonly box: Box;
  readonly accountClock: (accountId: AccountId) => Date;
}

export type Discrepancies = ReturnType<typeof createDiscrepancies>;

/** Discrepancies of accounts. Every read and change is limited to one. */
export function createDiscrepancies({ model, box, accountClock }: DiscrepanciesDeps) {
  return {
    /** Newest first. */
    list: (accountId: AccountId, filter: QueryFilter<DiscrepancyDocument>, page: Page) =>
      paginate(model, ofAccount(accountId, filter), page, (found) => reveal(box, found)),
    /**
     * Changes state and owner, and adds that to the log. Failures: DISCREPANCY_NOT_FOUND; DISCREPANCY_CHANGED, when it has another
     * version, so that of two people at once one learns of the other's change; INVALID_REQUEST.
     */
    resolve: async (principal: Principal, resolution: Resolution): Promise<Result<Discrepancy>> => {
      const { accountId } = principal;
      const texts = readBody(textsSchema, resolution);
      if (!texts.ok) {
        return texts;
      }
      const { id: _id, version, state } = resolution;
      const found = await model.findOne({ _id, accountId }).lean<DiscrepancyDocument>();
      if (!found || found.version !== version) {
        return fail(found ? 'DISCREPANCY_CHANGED' : 'DISCREPANCY_NOT_FOUND');
      }
      if (version >= MOST_CHANGES) {
        return fail('INVALID_REQUEST', `A discrepancy has at most ${MOST_CHANGES} changes.`);
      }
      const by = principal.consoleSession?.label || principal.keyId;
      const update = changeOf(box, found, { by, state, at: accountClock(accountId), ...texts.value });
      const changed = await model
        .findOneAndUpdate({ _id, accountId, version }, update, { returnDocument: 'after' })
        .lean<DiscrepancyDocument>();
      return changed ? succeed(reveal(box, changed)) : fail('DISCREPANCY_CHANGED');
    },
  };
}

/** The update of a discrepancy by a change, which its log gets. It is for the version that `found` has. */
export function changeOf(
  box: Box,
  found: DiscrepancyDocument,
  change: Pick<Resolution, 'state' | 'owner' | 'note'> & { readonly by: string | null; readonly at: Date },
) {
  const { state, by, at } = change;
  const before = reveal(box, found);
  const owner = change.owner == null ? before.owner : change.owner.trim() || null;
  const added: DiscrepancyChange = {
    ...{ at: at.toISOString(), by, state, owner },
    note: change.note?.trim() || null,
  };
  const log = box.seal(JSON.stringify([...before.log, added]), contextOf(found));
  const $set = { state, log, version: found.version + 1 };
  return UNSETTLED.includes(state)
    ? { $set: { ...$set, unsettled: true as const } }
    : { $set, $unset: { unsettled: 1 as const } };
}

function reveal(box: Box, found: DiscrepancyDocument): Discrepancy {
  const { log: sealed } = found;
  const text = sealed === undefined ? '[]' : box.open(toBuffer(sealed), contextOf(found)).toString();
  const log = logSchema.parse(JSON.parse(text));
  return { ...omit(found, ['log']), owner: log.at(-1)?.owner ?? null, log };
}

function contextOf({ _id, accountId }: DiscrepancyDocument): string {
  return `${accountId}|log|${_id}`;
}
