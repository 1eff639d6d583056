import { keysOf } from '../../kernel/objects.ts';
import { ENTRY_KINDS, type EntryKind, type JournalLine, reverse, sumLines } from '../chart.ts';
import type { ChainPosition, StatementAmount, StatementDocument, StatementMovement } from './model.ts';

/** The entries of one kind that have a currency, and the sums of their lines in it. */
export interface Movement {
  readonly kind: EntryKind;
  readonly currency: string;
  readonly entries: number;
  readonly lines: readonly JournalLine[];
}

/** Adds movements up by kind and currency. */
interface MovementSums {
  add(movement: Movement): void;
  /** Adds an entry of the journal. */
  addEntry(entry: { readonly kind: EntryKind; readonly lines: readonly JournalLine[] }): void;
  /** The sums, in the order of the kinds. */
  all(): Movement[];
}

export function createMovementSums(): MovementSums {
  const sums = new Map<string, Movement>();
  const add = ({ kind, currency, entries, lines }: Movement) => {
    const key = `${kind} ${currency}`;
    const sum = sums.get(key);
    sums.set(key, {
      ...{ kind, currency },
      entries: entries + (sum?.entries ?? 0),
      lines: sumLines([...(sum?.lines ?? []), ...lines]),
    });
  };
  return {
    add,
    addEntry: ({ kind, lines }) => {
      for (const currency of new Set(lines.map((line) => line.currency))) {
        const own = lines.filter((line) => line.currency === currency);
        add({ kind, currency, entries: 1, lines: own });
      }
    },
    all: () => {
      const kinds = keysOf(ENTRY_KINDS);
      return [...sums.values()].sort((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind));
    },
  };
}

/** The movements that a statement has. */
export function movementsOf({ movements, currency }: StatementDocument): Movement[] {
  return movements.map(({ kind, entries, amounts }) => ({
    ...{ kind, currency, entries },
    lines: amounts.map((line) => ({ ...line, currency })),
  }));
}

/** The balances after movements. */
export function closingOf(opening: readonly JournalLine[], movements: readonly Movement[]): JournalLine[] {
  return sumLines([...opening, ...movements.flatMap(({ lines }) => lines)]);
}

/** A period that has ended. */
interface EndedPeriod
  extends Pick<
    StatementDocument,
    'accountId' | 'period' | 'name' | 'timeZone' | 'from' | 'to' | 'createdAt'
  > {
  /** The end of the chain when the period began, and when it ended. */
  readonly opening: ChainPosition;
  readonly closing: ChainPosition;
  readonly movements: readonly Movement[];
}

/** The statements of a period: one for each currency with a balance at its beginning, or an entry. */
export function statementsOf({ opening, closing, movements, ...period }: EndedPeriod): StatementDocument[] {
  const { accountId, name } = period;
  const moved = [...opening.balances, ...movements].map(({ currency }) => currency);
  return [...new Set(moved)].sort().map((currency) => {
    const own = movements.filter((movement) => movement.currency === currency);
    const lines = own.flatMap((movement) => movement.lines);
    const id = `${name}-${currency}`;
    return {
      ...period,
      ...{ _id: `${accountId}|${id}`, id, currency },
      opening: amountsIn(opening.balances, currency),
      movements: own.map(
        ({ kind, entries, lines: sums }): StatementMovement => ({
          ...{ kind, entries },
          amounts: amountsIn(sums, currency),
        }),
      ),
      fees: amountOf('FEE_INCOME', reverse(lines)),
      fx: amountOf('FX_POSITION', lines),
      closing: amountsIn(closing.balances, currency),
      ...{ entriesAfter: opening.number, lastEntry: closing.number },
      ...{ hashBefore: opening.hash, hash: closing.hash },
    };
  });
}

function amountsIn(lines: readonly JournalLine[], wanted: string): StatementAmount[] {
  return lines
    .filter(({ currency }) => currency === wanted)
    .map(({ account, amount }) => ({ account, amount }));
}

function amountOf(wanted: JournalLine['account'], lines: readonly JournalLine[]): string {
  return sumLines(lines).find(({ account }) => account === wanted)?.amount ?? '0';
}
