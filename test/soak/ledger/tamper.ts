import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** An entry of an export, as its line has it. */
interface ExportedEntry {
  accountId: string;
  number: number;
  version: number;
  entityId: string;
  kind: string;
  createdAt: string;
  bookedAt: string;
  lines: { account: string; amount: string }[];
}

/** An entry that was tampered with: the account, and the number at or behind which a finding must be. */
interface Tampered {
  readonly accountId: string;
  readonly number: number;
  readonly way: string;
}

type Way = (entry: ExportedEntry, text: string) => readonly string[];

const changed =
  (change: (entry: ExportedEntry) => void): Way =>
  (entry) => {
    const copy = structuredClone(entry);
    change(copy);
    return [JSON.stringify({ type: 'entry', value: copy })];
  };

/** Each gives the lines that stand in the place of an entry's line. */
const WAYS: Readonly<Record<string, Way>> = {
  'all amounts are ten times as much': changed(({ lines }) => {
    for (const line of lines) {
      line.amount = `${line.amount}0`.replace(/^(-?\d+)\.(\d)(.*)$/, '$1$2.$3').replace(/\.$/, '');
    }
  }),
  'two accounts are exchanged': changed(({ lines: [one, other] }) => {
    if (one && other) {
      [one.account, other.account] = [other.account, one.account];
    }
  }),
  'another operation': changed((entry) => {
    entry.entityId = `${entry.entityId}x`;
  }),
  'another version': changed((entry) => {
    entry.version += 1;
  }),
  'another kind': changed((entry) => {
    entry.kind = entry.kind === 'CLAIM' ? 'RELEASE' : 'CLAIM';
  }),
  'a later change': changed((entry) => {
    entry.createdAt = new Date(Date.parse(entry.createdAt) + 1).toISOString();
  }),
  'an earlier place': changed((entry) => {
    entry.bookedAt = new Date(Date.parse(entry.bookedAt) - 1).toISOString();
  }),
  removed: () => [],
  'there twice': (_entry, text) => [text, text],
  'another number': changed((entry) => {
    entry.number += 1;
  }),
};

/**
 * Copies an export, with so many entries tampered with, each in one of ten ways and far from the next one.
 * @param entries how many it has
 */
export async function tamperWith(
  from: string,
  to: string,
  entries: number,
  count: number,
): Promise<Tampered[]> {
  const width = Math.floor(entries / count);
  // In the first half of each stretch: two have others between them.
  const places = new Set(
    Array.from({ length: count }, (_, index) => index * width + randomInt(Math.ceil(width / 2))),
  );
  const ways = Object.entries(WAYS);
  const tampered: Tampered[] = [];
  const out = createWriteStream(to);
  let index = 0;
  for await (const text of createInterface({ input: createReadStream(from) })) {
    let lines: readonly string[] = [text];
    if (text.startsWith('{"type":"entry"')) {
      if (places.has(index)) {
        const { value } = JSON.parse(text) as { value: ExportedEntry };
        const [way, apply] = ways[tampered.length % ways.length] as [string, Way];
        lines = apply(value, text);
        tampered.push({ accountId: value.accountId, number: value.number, way });
      }
      index += 1;
    }
    for (const line of lines) {
      if (!out.write(`${line}\n`)) {
        await once(out, 'drain');
      }
    }
  }
  out.end();
  await once(out, 'finish');
  return tampered;
}

/** The tampered entries without a finding at them or at the entry behind them, and the findings about other entries. */
export function judgeFindings(
  tampered: readonly Tampered[],
  findings: readonly { readonly accountId: string; readonly place: string }[],
): string[] {
  const found = new Set(findings.map(({ accountId, place }) => `${accountId} ${place}`));
  const isAt = ({ accountId, number }: Tampered, behind: number) =>
    found.has(`${accountId} ${number + behind}`);
  const missed = tampered.filter((one) => !(isAt(one, 0) || isAt(one, 1)));
  const near = new Set(
    tampered.flatMap(({ accountId, number }) => [0, 1, 2].map((behind) => `${accountId} ${number + behind}`)),
  );
  // Days and ends have findings because of the entries before them.
  const others = findings.filter(
    ({ accountId, place }) => /^\d+$/.test(place) && !near.has(`${accountId} ${place}`),
  );
  return [
    ...missed.map(({ accountId, number, way }) => `${accountId}, entry ${number}, ${way}: was not found`),
    ...others.map(({ accountId, place }) => `${accountId}, entry ${place}: was not tampered with, and found`),
  ];
}
