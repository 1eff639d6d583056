import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { printable } from '../../kernel/log/printable.ts';
import { currencyDecimals, isCurrency } from '../../kernel/money/iso.ts';
import { isDate } from '../../kernel/person/checks.ts';
import { timeZoneNamed } from '../../kernel/time-zone.ts';
import { dayFormat } from '../statements/periods.ts';

const DATE_FORMATS = ['ISO', 'YYYY-MM-DD', 'YYYYMMDD', 'DD/MM/YYYY', 'MM/DD/YYYY', 'DD.MM.YYYY'] as const;
/** A time with its offset from UTC. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
/** The longest text of a cell that is read, as long as an id of an operation. Longer ones are a fault of the file or of the mapping. */
const LONGEST_CELL = 255;

const column = z.string().min(1).max(200);

/** How to read a provider's files. The page Operations of the docs explains each property. */
export const mappingSchema = z
  .strictObject({
    provider: z.string().regex(/^[\w.-]{1,40}$/, 'must have 1 to 40 letters, digits, "_", "." and "-"'),
    columns: z.strictObject({ reference: column, amount: column, date: column, currency: column.optional() }),
    currencies: z.array(z.string().refine(isCurrency, 'must be an ISO 4217 code')).min(1).max(20),
    dateFormat: z.enum(DATE_FORMATS),
    timeZone: z
      .string()
      .refine((name) => timeZoneNamed(name) !== undefined, 'must be an IANA time zone')
      .default('UTC'),
    decimalSign: z.enum(['.', ',']),
    groupSign: z.enum(['', '.', ',', ' ', "'"]).default(''),
    amounts: z.enum(['collections', 'payouts', 'signed', 'reversed']),
    windowDays: z.int().min(0).max(31).default(2),
    delimiter: z.enum([',', ';', '\t', '|']).default(','),
    encoding: z.enum(['utf-8', 'windows-1252']).default('utf-8'),
  })
  .refine(({ decimalSign, groupSign }) => decimalSign !== groupSign, {
    message: 'must differ from decimalSign',
    path: ['groupSign'],
  })
  .refine(({ columns, currencies }) => columns.currency !== undefined || currencies.length === 1, {
    message: 'must have one currency while columns has none for it',
    path: ['currencies'],
  });

export type Mapping = z.infer<typeof mappingSchema>;

/** A row of a file, as it is matched. */
export interface SettlementRow {
  /** Where it ends in the file, lines from 1. */
  readonly line: number;
  readonly reference: string;
  /** A decimal string, never 0: money that came to the provider is above 0, a payout below. */
  readonly amount: string;
  readonly currency: string;
  /** `YYYY-MM-DD` in the mapping's zone. */
  readonly day: string;
}

/** The text of each column that the mapping names. */
export type Cells = Readonly<Record<'reference' | 'amount' | 'date' | 'currency', string>>;

/** A text that was read, or its fault. */
type Read = string | { readonly fault: string };

/** Reads the cells of a row by a mapping. @returns the row, or each fault with its column */
export function createRowReader(
  mapping: Mapping,
): (cells: Cells, line: number) => SettlementRow | { readonly issues: readonly string[] } {
  const [days, form] = [dayFormat(mapping.timeZone), amountForm(mapping)];
  return (cells, line) => {
    const issues: string[] = [];
    const take = (name: keyof Cells, read: (text: string) => Read): string => {
      const text = cells[name].trim();
      const value = text.length > LONGEST_CELL ? { fault: 'is too long' } : read(text);
      if (typeof value === 'string') {
        return value;
      }
      const where = `line ${line}, column ${mapping.columns[name] ?? name}`;
      issues.push(printable(`${where}: ${value.fault}: "${text.slice(0, 40)}"`));
      return '';
    };
    const reference = take('reference', (text) => (text === '' ? { fault: 'is empty' } : text));
    const currency = take('currency', (text) =>
      mapping.currencies.includes(text) ? text : { fault: 'is none of the currencies of the mapping' },
    );
    const amount = take('amount', (text) => readAmount(mapping, form, text, currency));
    const day = take('date', (text) => readDay(mapping, text, days));
    return issues.length > 0 ? { issues } : { line, reference, amount, currency, day };
  };
}

function readAmount({ amounts, ...signs }: Mapping, form: RegExp, text: string, currency: string): Read {
  if (!form.test(text)) {
    return { fault: 'is no amount as the mapping describes it' };
  }
  const amount = new Decimal(text.replaceAll(signs.groupSign, '').replace(signs.decimalSign, '.'));
  if (amount.isZero()) {
    return { fault: 'is 0' };
  }
  // Without a currency, its own fault is named.
  if (amount.decimalPlaces() > (currencyDecimals(currency) ?? Number.POSITIVE_INFINITY)) {
    return { fault: `has more decimals than ${currency}` };
  }
  if ((amounts === 'collections' || amounts === 'payouts') && amount.isNegative()) {
    return { fault: `is below 0, but all amounts are ${amounts}` };
  }
  return (amounts === 'payouts' || amounts === 'reversed' ? amount.neg() : amount).toFixed();
}

/** The form of amounts as texts: nothing but digits and the signs of the mapping, in groups of three or in none. */
function amountForm({ decimalSign, groupSign }: Mapping): RegExp {
  const groups = groupSign === '' ? '' : `|\\d{1,3}(?:[${groupSign}]\\d{3}){1,6}`;
  return new RegExp(`^[+-]?(?:\\d{1,20}${groups})(?:[${decimalSign}]\\d{1,10})?$`);
}

function readDay({ dateFormat }: Mapping, text: string, days: Intl.DateTimeFormat): Read {
  const wrong = { fault: `is no day in the form ${dateFormat}` };
  if (dateFormat === 'ISO') {
    // `Date.parse` takes the 30th of February for a day in March.
    const ms = INSTANT.test(text) && isDate(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
    return Number.isNaN(ms) ? wrong : days.format(ms);
  }
  const part = (name: string) => text.slice(dateFormat.indexOf(name)).slice(0, name.length);
  const day = `${part('YYYY')}-${part('MM')}-${part('DD')}`;
  const hasForm = text.replaceAll(/\d/g, '0') === dateFormat.replaceAll(/[YMD]/g, '0');
  return hasForm && isDate(day) ? day : wrong;
}
