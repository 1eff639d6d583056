import type { Connection } from 'mongoose';
import { createStatementModels, type StatementDocument } from '../../../subgraphs/ledger/statements/model.ts';
import { Balances, fromUnits, trimmed } from './money.ts';
import type { Day, Recomputed } from './recompute.ts';

/** The statements that differ from those that the events give, and those that are missing or too many. */
export async function compareStatements(
  connection: Connection,
  all: readonly Recomputed[],
  today: string,
): Promise<{ readonly statements: number; readonly problems: string[] }> {
  const { statements } = createStatementModels(connection);
  const problems: string[] = [];
  let count = 0;
  for (const { accountId, days } of all) {
    const expected = new Map<string, string>();
    const closed = [...days].filter(([day]) => day < today);
    for (const [name, day] of closed) {
      expectDay(expected, name, day);
    }
    for (const [name, month] of monthsOf(closed, today)) {
      expectDay(expected, name, month);
    }
    const found = await statements.find({ accountId }).lean<StatementDocument[]>();
    count += found.length;
    for (const one of found) {
      const text = expected.get(one.id);
      // A day without movements has no expectation of its own: it opens and closes with the same balances.
      const isQuiet = text === undefined && one.movements.length === 0 && isUnmoved(one);
      if (one.timeZone !== 'UTC' || !(isQuiet || text === textOf(one))) {
        problems.push(`${accountId}, statement ${one.id}: ${textOf(one)}; the events give ${text}`);
      }
      expected.delete(one.id);
    }
    for (const id of expected.keys()) {
      problems.push(`${accountId}: statement ${id} is missing`);
    }
  }
  return { statements: count, problems };
}

function isUnmoved({ opening, closing }: StatementDocument): boolean {
  return JSON.stringify(opening) === JSON.stringify(closing);
}

/** The days of each month that is over, as one. */
function monthsOf(days: readonly (readonly [string, Day])[], today: string): Map<string, Day> {
  const months = new Map<string, Day>();
  for (const [name, day] of days.filter(([one]) => one.slice(0, 7) < today.slice(0, 7))) {
    const month = months.get(name.slice(0, 7)) ?? {
      opening: day.opening,
      moved: new Balances(),
      kinds: new Map(),
      counts: new Map(),
    };
    month.moved.add(day.moved.lines());
    for (const [kind, balances] of day.kinds) {
      const sum = month.kinds.get(kind) ?? new Balances();
      sum.add(balances.lines());
      month.kinds.set(kind, sum);
    }
    for (const [key, count] of day.counts) {
      month.counts.set(key, (month.counts.get(key) ?? 0) + count);
    }
    months.set(name.slice(0, 7), month);
  }
  return months;
}

function expectDay(
  expected: Map<string, string>,
  name: string,
  { opening, moved, kinds, counts }: Day,
): void {
  const closing = opening.copy();
  closing.add(moved.lines());
  const currencies = new Set([...opening.lines(), ...moved.lines()].map(({ currency }) => currency));
  for (const currency of currencies) {
    const movements = [...kinds]
      .filter(([kind]) => counts.has(`${currency} ${kind}`))
      .map(
        ([kind, sums]) => `${kind} ${counts.get(`${currency} ${kind}`)}: ${sums.list(currency).join(', ')}`,
      )
      .sort();
    if (movements.length > 0) {
      const of = (account: string) =>
        moved.lines().find((line) => line.account === account && line.currency === currency);
      const fees = fromUnits(-(of('FEE_INCOME')?.amount ?? 0n));
      const fx = fromUnits(of('FX_POSITION')?.amount ?? 0n);
      expected.set(
        `${name}-${currency}`,
        JSON.stringify([opening.list(currency), movements, fees, fx, closing.list(currency)]),
      );
    }
  }
}

function textOf({ currency, opening, movements, fees, fx, closing }: StatementDocument): string {
  const list = (amounts: StatementDocument['opening']) =>
    amounts.map(({ account, amount }) => `${currency} ${account} ${trimmed(amount)}`).sort();
  const moved = movements
    .map(({ kind, entries, amounts }) => `${kind} ${entries}: ${list(amounts).join(', ')}`)
    .sort();
  return JSON.stringify([list(opening), moved, trimmed(fees), trimmed(fx), list(closing)]);
}
