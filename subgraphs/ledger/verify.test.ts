import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { times } from '../runtime/events/testing.ts';
import { checkJournal } from './audit.ts';
import { hashEntry, sealEnd } from './chain.ts';
import type { ExportedEntry, ExportLine } from './export.ts';
import { claimOf, type LedgerBench, openLedgerBench, START } from './testing.ts';

const DAY_MS = 86_400_000;
const ENTRIES = 60;

let bench: LedgerBench;
let lines: ExportLine[];

/** Two accounts with 60 entries each, over three days. */
beforeAll(async () => {
  bench = await openLedgerBench();
  for (const index of times(ENTRIES, (one) => one)) {
    const entry = {
      entityId: `op-${index}`,
      amount: `${index + 1}.25`,
      createdAt: new Date(START.getTime() + Math.floor(index / 20) * DAY_MS + index * 1_000),
    };
    await bench.post([entry, { ...entry, accountId: 'globex/live' }]);
  }
  await bench.numbered();
  expect(await bench.seal()).toBe(2 * ENTRIES);
  lines = await bench.exported();
});
afterAll(() => bench.close());

const findingsOf = async (changed: readonly ExportLine[], from?: string) =>
  (await bench.verify(changed, from)).findings;

test('an export that nobody changed has no findings, whole or from a day on', async () => {
  expect(await bench.verify(lines)).toEqual({ entries: 2 * ENTRIES, findings: [] });
  const part = await bench.exported({ accountId: 'globex/live', from: '2026-11-22' });
  expect(part.map(({ type }) => type)).toEqual(['start', ...times(20, () => 'entry'), 'day', 'end']);
  expect(await bench.verify(part, '2026-11-22')).toEqual({ entries: 20, findings: [] });
});

/** A change of the entry at a place among the lines. */
type Tamper = (all: readonly ExportLine[], at: number) => ExportLine[];

const entryAt = (all: readonly ExportLine[], at: number): ExportedEntry => {
  const line = all[at];
  if (line?.type !== 'entry') {
    throw new Error(`No entry at ${at}`);
  }
  return line.value;
};
const withEntry = (all: readonly ExportLine[], at: number, value: ExportedEntry): ExportLine[] =>
  all.with(at, { type: 'entry', value });
const dated = (entry: ExportedEntry) => ({
  ...entry,
  createdAt: new Date(entry.createdAt),
  bookedAt: new Date(entry.bookedAt),
});
/** The hash before the entry at a place. */
const hashBefore = (all: readonly ExportLine[], at: number): string => {
  const before = all.slice(0, at).findLast(({ value }) => value.accountId === entryAt(all, at).accountId);
  return before?.value.hash ?? '0'.repeat(64);
};

const TAMPERS: Readonly<Record<string, Tamper>> = {
  'changed amount': (all, at) => withEntry(all, at, { ...entryAt(all, at), lines: claimOf('99.99') }),
  'changed account': (all, at) => {
    const { lines: own, ...entry } = entryAt(all, at);
    return withEntry(all, at, { ...entry, lines: own.map((line) => ({ ...line, account: 'FEE_INCOME' })) });
  },
  deleted: (all, at) => all.toSpliced(at, 1),
  'inserted twice': (all, at) => all.toSpliced(at, 0, { type: 'entry', value: entryAt(all, at) }),
  'inserted beside': (all, at) => {
    const value = { ...entryAt(all, at), _id: 'je_new', entityId: 'op-new' };
    return all.toSpliced(at, 0, { type: 'entry', value });
  },
  'swapped content': (all, at) => {
    const other = at > 1 && all[at - 1]?.type === 'entry' ? at - 1 : at + 1;
    const [one, two] = [entryAt(all, at), entryAt(all, other)];
    const placeOf = ({ number, hash }: ExportedEntry) => ({ number, hash });
    return withEntry(withEntry(all, at, { ...two, ...placeOf(one) }), other, { ...one, ...placeOf(two) });
  },
  'changed and hashed again': (all, at) => {
    const value = { ...entryAt(all, at), lines: claimOf('99.99') };
    return withEntry(all, at, { ...value, hash: hashEntry(hashBefore(all, at), dated(value)) });
  },
  'changed, with every later hash made again': (all, at) => {
    const { accountId } = entryAt(all, at);
    let changed = withEntry(all, at, { ...entryAt(all, at), lines: claimOf('99.99') });
    changed.forEach((line, place) => {
      if (place >= at && line.value.accountId === accountId) {
        const hash =
          line.type === 'entry'
            ? hashEntry(hashBefore(changed, place), dated(line.value))
            : (changed[place - 1]?.value.hash ?? '');
        changed = changed.with(place, { ...line, value: { ...line.value, hash } } as ExportLine);
      }
    });
    return changed;
  },
};

describe('each of 100 tampered entries is found, as', () => {
  test.each(Object.entries(TAMPERS))('%s', async (_name, tamper) => {
    const places = lines.flatMap(({ type }, at) => (type === 'entry' ? [at] : []));
    const tampered = places.filter((_, index) => index % 6 !== 3);
    expect(tampered).toHaveLength(100);
    const found = await Promise.all(tampered.map((at) => findingsOf(tamper(lines, at))));
    expect(found.filter((findings) => findings.length === 0)).toEqual([]);
    const accounts = tampered.map((at) => entryAt(lines, at).accountId);
    expect(found.map((findings) => findings[0]?.split(' ')[0])).toEqual(accounts);
  });
});

describe('an end is found that', () => {
  test.each(['day', 'end'] as const)('is missing or changed: %s', async (type) => {
    const at = lines.findIndex((line) => line.type === type);
    const line = lines[at];
    expect(line?.type).toBe(type);
    const gone = await findingsOf(lines.toSpliced(at, 1));
    // The chain itself has every entry; only its end is needed.
    expect(gone.length).toBe(type === 'end' ? 1 : 0);
    const value = { ...line?.value, balances: claimOf('much') };
    expect(await findingsOf(lines.with(at, { type, value } as ExportLine))).toHaveLength(1);
  });

  test('was sealed with other balances than its entries add up to', async () => {
    const at = lines.findIndex(({ type }) => type === 'end');
    const line = lines[at];
    if (line?.type !== 'end') {
      throw new Error('The export has no end');
    }
    const end = { ...line.value, balances: claimOf('1') };
    const seal = sealEnd(bench.box, { ...end, bookedAt: new Date(end.bookedAt) }).toString('base64');
    expect(await findingsOf(lines.with(at, { type: 'end', value: { ...end, seal } }))).toEqual([
      'acme/sandbox end has other balances than the entries add up to',
    ]);
  });

  test('was sealed with another key', async () => {
    const other = await openLedgerBench();
    expect((await other.verify(lines)).findings).toHaveLength(8);
    await other.close();
  });
});

describe('the beginning of an export is found that', () => {
  const beginWith = (day: string) => {
    const of = lines.filter(({ value }) => value.accountId === 'acme/sandbox');
    const at = of.findIndex(({ type, value }) => type === 'day' && 'day' in value && value.day === day);
    return of.slice(at).with(0, { ...of[at], type: 'start' } as ExportLine);
  };

  test('is a later day than the one that the export was made with', async () => {
    expect(await findingsOf(beginWith('2026-11-20'), '2026-11-21')).toEqual([]);
    expect(await findingsOf(beginWith('2026-11-21'), '2026-11-21')).not.toEqual([]);
    expect(await findingsOf(beginWith('2026-11-20'))).not.toEqual([]);
  });

  test('is a later day that names an earlier one, so that the entries before it are gone', async () => {
    const [start, ...others] = beginWith('2026-11-21');
    const value = { ...start?.value, day: '2026-11-19' };
    const changed = [{ type: 'start', value } as ExportLine, ...others];
    expect((await findingsOf(changed, '2026-11-20'))[0]).toBe(
      'acme/sandbox 2026-11-19 has a seal that was not made for it by this ENCRYPTION_KEY',
    );
  });

  test('stands behind entries, of which some are missing', async () => {
    const [first] = lines;
    expect(first?.type).toBe('entry');
    const changed = [...lines.slice(0, 1), ...beginWith('2026-11-20')];
    expect(await findingsOf(changed, '2026-11-21')).not.toEqual([]);
  });
});

test('an entry behind the end of its chain is found, although its hash is right', async () => {
  const at = lines.findLastIndex(({ type }) => type === 'entry');
  const last = entryAt(lines, at);
  const value = { ...last, _id: 'je_new', entityId: 'op-new', number: last.number + 1 };
  const hash = hashEntry(last.hash, dated(value));
  expect(await findingsOf([...lines, { type: 'entry', value: { ...value, hash } }])).toEqual([
    'globex/live end is missing',
  ]);
});

describe('in the database', () => {
  test('an audit of all records finds a changed entry before the end of a day that somebody set back', async () => {
    const { days, entries } = bench.models;
    const [of, day] = [{ accountId: 'acme/sandbox' as const, number: 7 }, { day: '2026-11-21' }];
    const { lines: before } = await entries.findOne(of).lean().orFail();
    const check = checkJournal(bench.models, bench.box, () => false);
    const audit = async () => {
      const found: object[] = [];
      const range = { from: new Date(0), before: new Date() };
      for await (const part of check.examine('acme/sandbox', range)) {
        found.push(...part.found);
      }
      return found;
    };
    expect(await audit()).toEqual([]);
    const dayEnd = { _id: 'acme/sandbox|2026-11-21' };
    await days.updateOne(dayEnd, { $set: { day: '1969-12-31' } });
    await entries.collection.updateOne(of, { $set: { lines: claimOf('70000') } });
    expect(await audit()).toContainEqual({ record: '7', text: 'was changed, or the entry before it' });
    await days.updateOne(dayEnd, { $set: day });
    await entries.collection.updateOne(of, { $set: { lines: before } });
    expect(await audit()).toEqual([]);
  });

  test('an end that was removed is missing in the export after it', async () => {
    const { heads } = bench.models;
    const head = await heads.findByIdAndDelete('globex/live').lean();
    expect(await findingsOf(await bench.exported())).toEqual(['globex/live end is missing']);
    expect(head?.number).toBe(ENTRIES);
    await heads.insertMany(head);
  });

  test('an entry that was changed is found in the export after it', async () => {
    const { entries } = bench.models;
    const of = { accountId: 'acme/sandbox' as const, number: 7 };
    const before = await entries.findOne(of).lean();
    await entries.collection.updateOne(of, { $set: { lines: claimOf('70000') } });
    expect((await findingsOf(await bench.exported()))[0]).toBe(
      'acme/sandbox 7 was changed, or the entry before it',
    );
    await entries.collection.updateOne(of, { $set: { lines: before?.lines } });
    expect(await findingsOf(await bench.exported())).toEqual([]);
  });

  test.each([
    ['before a chain end with a higher number', 1_000_000],
    ['when the chain end was removed', undefined],
  ])('an entry far behind the others is exported %s', async (_end, last) => {
    const { entries, heads } = bench.models;
    const accountId = 'globex/live' as const;
    const head = await heads.findByIdAndDelete(accountId).lean();
    if (last !== undefined) {
      await heads.insertMany({ ...head, number: last });
    }
    await entries.collection.updateOne({ accountId, number: ENTRIES }, { $set: { number: 999_999 } });
    const found = await bench.exported({ accountId });
    const numbers = found.flatMap(({ type, value }) => (type === 'entry' ? value.number : []));
    expect(numbers).toEqual([...times(ENTRIES - 1, (one) => one + 1), 999_999]);
    expect((await findingsOf(found))[0]).toMatch(/^globex\/live /u);
    await entries.collection.updateOne({ accountId, number: 999_999 }, { $set: { number: ENTRIES } });
    await heads.deleteMany({ _id: accountId });
    await heads.insertMany(head);
    expect(await findingsOf(await bench.exported())).toEqual([]);
  });
});
