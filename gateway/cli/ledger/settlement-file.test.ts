import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  type Mapping,
  mappingSchema,
  type SettlementRow,
} from '../../../subgraphs/ledger/settlement/mapping.ts';
import { readSettlementFile } from './settlement-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'remitgraph-settlement-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MAPPING = mappingSchema.parse({
  provider: 'acquirer',
  columns: { reference: 'ref', amount: 'amount', date: 'day' },
  ...{ currencies: ['USD'], dateFormat: 'YYYY-MM-DD', decimalSign: '.', amounts: 'signed' },
});
const HEADER = 'ref,amount,day,note';
const LINE = 'op_1,10.5,2026-11-20,';

async function read(content: string | Buffer, changes: Partial<Mapping> = {}) {
  const file = join(folder, 'file.csv');
  writeFileSync(file, content);
  const hash = createHash('sha256');
  const found: SettlementRow[] = [];
  for await (const row of readSettlementFile(file, { ...MAPPING, ...changes }, hash)) {
    found.push(row);
  }
  return { found, digest: hash.digest('hex') };
}
const references = async (content: string | Buffer, changes: Partial<Mapping> = {}) =>
  (await read(content, changes)).found.map(({ reference }) => reference);

describe('a settlement file', () => {
  test('is read row by row, with the line of each and the digest of its bytes', async () => {
    const content = `${HEADER}\n${LINE}\n\nop_2,-3,2026-11-21,"two\nlines"\n`;
    const { found, digest } = await read(content);
    expect(found).toEqual([
      { line: 2, reference: 'op_1', amount: '10.5', currency: 'USD', day: '2026-11-20' },
      { line: 5, reference: 'op_2', amount: '-3', currency: 'USD', day: '2026-11-21' },
    ]);
    expect(digest).toBe(createHash('sha256').update(content).digest('hex'));
  });

  test.each([
    ['a mark of its encoding (BOM)', `\ufeff${HEADER}\n${LINE}`],
    ['ends of lines of Windows', `${HEADER}\r\n${LINE}\r\n`],
    ['quotes', `"ref","amount","day","note"\n"op_1","10.5","2026-11-20","say ""hi"", \n"`],
    ['columns in another order', `day,note,amount,ref\n2026-11-20,,10.5,op_1`],
  ])('may have %s', async (_what, content) => {
    expect(await references(content)).toEqual(['op_1']);
  });

  test('may be in Windows-1252, and have another delimiter', async () => {
    const content = Buffer.from(`${HEADER}\nañ,1,2026-11-20,`.replaceAll(',', ';'), 'latin1');
    expect(await references(content, { encoding: 'windows-1252', delimiter: ';' })).toEqual(['añ']);
    await expect(references(content, { delimiter: ';' })).rejects.toThrow('not encoded in utf-8');
  });

  test('keeps a character whose bytes two reads divide', async () => {
    const lines = `${'x'.repeat(99)},1,2026-11-20,\n`.repeat(1_000);
    const content = Buffer.from(`${HEADER}\n${lines}é€,1,2026-11-20,${'é'.repeat(20_000)}\n`);
    expect((await references(content)).at(-1)).toBe('é€');
  });

  test.each([
    ['UTF-16', Buffer.from(`\ufeff${HEADER}\n${LINE}`, 'utf16le'), 'not encoded in utf-8'],
    [
      'half a character at its end',
      Buffer.from([...Buffer.from(`${HEADER}\n${LINE}`), 0xc3]),
      'not encoded in utf-8',
    ],
    ['nothing', '', 'is empty'],
    ['nothing but empty lines', '\n\n', 'is empty'],
    [
      'the name of a column in capitals',
      'REF,amount,day\nop_1,1,2026-11-20',
      'no column "ref", but REF, amount, day',
    ],
    ['no such column', 'ref,sum,day\nop_1,1,2026-11-20', 'no column "amount", but ref, sum, day'],
    ['a column twice', 'ref,amount,day,ref\n1,1,2026-11-20,1', 'more than one column "ref"'],
    ['a short row', `${HEADER}\nop_1,1`, 'line 2'],
    ['an open quote', `${HEADER}\n"op_1,1,2026-11-20,`, 'is no CSV'],
    ['a long row', `${HEADER}\nop_1,1,2026-11-20,,more`, 'line 2'],
    ['text behind a quote', `${HEADER}\n"op_1"x,1,2026-11-20,`, 'is no CSV'],
    ['a line of 8 MB', 'ref,'.repeat(2_000_000), 'is no CSV'],
    [
      'a thousands separator',
      `${HEADER}\nop_1,"1,000.00",2026-11-20,`,
      'line 2, column amount: is no amount',
    ],
    ['a formula for an amount', `${HEADER}\nop_1,=1+1,2026-11-20,`, 'line 2, column amount: is no amount'],
    ['more decimals than its currency has', `${HEADER}\nop_1,1.001,2026-11-20,`, 'more decimals than USD'],
    ['a huge cell', `${HEADER}\n${'x'.repeat(100_000)},1,2026-11-20,`, 'is no CSV'],
  ])('is refused with %s', async (_what, content, message) => {
    await expect(references(content)).rejects.toThrow(message);
  });

  test('that is missing is named', async () => {
    const rows = readSettlementFile(join(folder, 'none.csv'), MAPPING, createHash('sha256'));
    await expect(rows.next()).rejects.toThrow('none.csv cannot be read');
  });

  test('with wrong rows is refused as a whole, with line, column and fault of the first 20', async () => {
    const wrong = Array.from({ length: 30 }, (_, index) => `op_${index},free,2026-11-20,`);
    const refused = references([HEADER, LINE, ...wrong].join('\n'));
    await expect(refused).rejects.toThrow(/: 30 of 31 rows are not as the mapping describes them\n/);
    await expect(refused).rejects.toThrow(
      '\nline 3, column amount: is no amount as the mapping describes it: "free"',
    );
    await expect(refused).rejects.toThrow(/^(?:.*\n){20}.*$/);
  });
});
