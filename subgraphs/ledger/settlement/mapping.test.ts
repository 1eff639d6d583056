import { describe, expect, test } from '@jest/globals';
import { type Cells, createRowReader, type Mapping, mappingSchema } from './mapping.ts';

const GIVEN = {
  provider: 'acquirer',
  columns: { reference: 'ref', amount: 'amt', date: 'day', currency: 'ccy' },
  currencies: ['USD', 'JPY'],
  dateFormat: 'YYYY-MM-DD',
  decimalSign: '.',
  amounts: 'signed',
};
const CELLS: Cells = { reference: 'op_1', amount: '10.50', date: '2026-11-20', currency: 'USD' };

const mapping = (changes: object = {}): Mapping => mappingSchema.parse({ ...GIVEN, ...changes });
const read = (cells: Partial<Cells>, changes: object = {}) =>
  createRowReader(mapping(changes))({ ...CELLS, ...cells }, 7);
const rowOf = (cells: Partial<Cells>, changes: object = {}) => {
  const found = read(cells, changes);
  return 'issues' in found ? found.issues : found;
};

describe('a row of a settlement file', () => {
  test('is read by the mapping', () => {
    expect(rowOf({ reference: ' op_1 ' })).toEqual({
      ...{ line: 7, reference: 'op_1', amount: '10.5', currency: 'USD', day: '2026-11-20' },
    });
  });

  test('keeps a formula in the reference as text, which matches nothing', () => {
    expect(rowOf({ reference: '=HYPERLINK("https://x.example")' })).toMatchObject({
      reference: '=HYPERLINK("https://x.example")',
    });
  });

  test.each([
    ['1.234.567,89', { decimalSign: ',', groupSign: '.' }, '1234567.89'],
    ["12'345.6", { groupSign: "'" }, '12345.6'],
    ['1 000', { groupSign: ' ' }, '1000'],
    ['-3', {}, '-3'],
    ['+3.00', {}, '3'],
    ['3', { amounts: 'reversed' }, '-3'],
    ['-3', { amounts: 'reversed' }, '3'],
    ['3', { amounts: 'payouts' }, '-3'],
    ['3', { amounts: 'collections' }, '3'],
    ['99999999999999999999.99', {}, '99999999999999999999.99'],
  ])('has the amount %s with %j', (amount, changes, expected) => {
    expect(rowOf({ amount }, changes)).toMatchObject({ amount: expected });
  });

  test.each([
    [{ amount: '10,50' }, {}, 'amt', 'is no amount'],
    [{ amount: '1.23.456,00' }, { decimalSign: ',', groupSign: '.' }, 'amt', 'is no amount'],
    [{ amount: '1234.567,00' }, { decimalSign: ',', groupSign: '.' }, 'amt', 'is no amount'],
    [{ amount: '1,234.50' }, {}, 'amt', 'is no amount'],
    [{ amount: '1.500' }, { decimalSign: ',' }, 'amt', 'is no amount'],
    [{ amount: '1.500.000,00' }, { decimalSign: ',' }, 'amt', 'is no amount'],
    [{ amount: '1 000' }, {}, 'amt', 'is no amount'],
    [{ amount: '.5' }, {}, 'amt', 'is no amount'],
    [{ amount: '5.' }, {}, 'amt', 'is no amount'],
    [{ amount: '--5' }, {}, 'amt', 'is no amount'],
    [{ amount: '٥' }, {}, 'amt', 'is no amount'],
    [{ amount: '1'.repeat(21) }, {}, 'amt', 'is no amount'],
    [{ amount: '1e3' }, {}, 'amt', 'is no amount'],
    [{ amount: '=1+1' }, {}, 'amt', 'is no amount'],
    [{ amount: 'Infinity' }, {}, 'amt', 'is no amount'],
    [{ amount: '' }, {}, 'amt', 'is no amount'],
    [{ amount: '0.00' }, {}, 'amt', 'is 0'],
    [{ amount: '1.001' }, {}, 'amt', 'more decimals than USD'],
    [{ amount: '100.5', currency: 'JPY' }, {}, 'amt', 'more decimals than JPY'],
    [{ amount: '-5' }, { amounts: 'collections' }, 'amt', 'below 0'],
    [{ amount: '-5' }, { amounts: 'payouts' }, 'amt', 'below 0'],
    [{ currency: 'EUR' }, {}, 'ccy', 'none of the currencies'],
    [{ reference: ' ' }, {}, 'ref', 'is empty'],
    [{ reference: 'x'.repeat(256) }, {}, 'ref', 'too long'],
    [{ date: '2026-02-30' }, {}, 'day', 'no day'],
    [{ date: '20/11/2026' }, {}, 'day', 'no day'],
    [{ date: '' }, {}, 'day', 'no day'],
    [{ date: '2026-11-20 000000000' }, {}, 'day', 'no day'],
    [{ date: '02/30/2026' }, { dateFormat: 'MM/DD/YYYY' }, 'day', 'no day'],
    [{ date: '20.11.2026' }, { dateFormat: 'DD/MM/YYYY' }, 'day', 'no day'],
    [{ date: '2026-11-20' }, { dateFormat: 'ISO' }, 'day', 'no day'],
    [{ date: '2026-11-20T10:00:00' }, { dateFormat: 'ISO' }, 'day', 'no day'],
    [{ date: '2026-11-20T25:00:00Z' }, { dateFormat: 'ISO' }, 'day', 'no day'],
    [{ date: '2026-02-30T10:00:00Z' }, { dateFormat: 'ISO' }, 'day', 'no day'],
  ])('with %j and %j is a fault that names the column', (cells, changes, column, message) => {
    expect(rowOf(cells, changes)).toEqual([
      expect.stringMatching(new RegExp(`^line 7, column ${column}: .*${message}`)),
    ]);
  });

  test('takes any reference that an operation may have', () => {
    const reference = `op\t\u001b[31m${'x'.repeat(247)}`;
    expect(reference).toHaveLength(255);
    expect(rowOf({ reference })).toMatchObject({ reference });
  });

  test('shows a wrong cell in short and without control characters', () => {
    const cells = { amount: '\u001b[2J\nline 8: all is well', date: 'x'.repeat(100) };
    expect(rowOf(cells)).toEqual([
      'line 7, column amt: is no amount as the mapping describes it: "\\u001b[2J\\u000aline 8: all is well"',
      `line 7, column day: is no day in the form YYYY-MM-DD: "${'x'.repeat(40)}"`,
    ]);
  });

  test.each([
    ['YYYYMMDD', '20261120', '2026-11-20'],
    ['DD/MM/YYYY', '20/11/2026', '2026-11-20'],
    ['MM/DD/YYYY', '11/20/2026', '2026-11-20'],
    ['DD.MM.YYYY', '20.11.2026', '2026-11-20'],
    ['ISO', '2026-11-20T03:00:00Z', '2026-11-19'],
    ['ISO', '2026-11-20T03:00:00+09:00', '2026-11-19'],
  ])('has a day in the form %s', (dateFormat, date, day) => {
    expect(rowOf({ date }, { dateFormat, timeZone: 'America/Mexico_City' })).toMatchObject({ day });
  });
});

describe('a mapping', () => {
  test.each([
    ['an unknown property', { window: 3 }],
    ['the same sign twice', { groupSign: '.' }],
    ['an unknown currency', { currencies: ['XXX'] }],
    ['several currencies without a column', { columns: { ...GIVEN.columns, currency: undefined } }],
    ['an unknown zone', { timeZone: 'Mars/Olympus' }],
    ['a provider with a space', { provider: 'a b' }],
    ['a window of months', { windowDays: 60 }],
  ])('is refused with %s', (_what, changes) => {
    expect(mappingSchema.safeParse({ ...GIVEN, ...changes }).success).toBe(false);
  });
});
