import { randomInt } from 'node:crypto';
import { newReference } from '../support/money-requests.ts';

/** Puts values in the places of a text; the same place of a case is always the same value. */
export type Fill = (text: string) => string;

/**
 * Fills in what a case may not share with others, and what hangs on the day that it is run; README.md in this folder
 * names the places.
 * @param today the UTC day that ages and months are counted from
 */
export function createFill(today = new Date()): Fill {
  const digits = newPhoneDigits();
  const own = new Map([
    ...['ref', 'ref2', 'ref3'].map((name) => [name, newReference()] as const),
    ['digits', digits],
    ['phone', `+${digits}`],
    ['phone2', `+${newPhoneDigits()}`],
  ]);
  return (text) =>
    text
      .replaceAll(/\{(ref[23]?|phone2?|digits)\}/g, (_place, name: string) => String(own.get(name)))
      .replaceAll('{crlf}', '\r\n')
      .replaceAll(/\{last(\d+)\}/g, (_place, count: string) => digits.slice(-Number(count)))
      .replaceAll(/\{date (\d+)y(?: ([+-]\d+)d)?\}/g, (_place, years: string, days = '0') =>
        daysAfter(yearsBefore(today, Number(years)), Number(days)),
      )
      .replaceAll(/\{mmyy(?: ([+-]\d+)m)?\}/g, (_place, months = '0') => monthOf(today, Number(months)))
      .replaceAll(/\{(.)\*(\d+)\}/gu, (_place, character: string, times: string) =>
        character.repeat(Number(times)),
      );
}

/** A number of Mexico City; its numbers are mobile ones too. */
function newPhoneDigits(): string {
  return `5255${String(randomInt(100_000_000)).padStart(8, '0')}`;
}

/** The last day by which somebody born on it is `years` old; of 29 February in a common year that is the 28th. */
function yearsBefore(today: Date, years: number): Date {
  const [year, month, day] = [today.getUTCFullYear() - years, today.getUTCMonth(), today.getUTCDate()];
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(day, lastOfMonth)));
}

function daysAfter(date: Date, days: number): string {
  return new Date(date.getTime() + days * 86_400_000).toISOString().slice(0, 10);
}

function monthOf(today: Date, months: number): string {
  const [year = '', month = ''] = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, 1))
    .toISOString()
    .split('-');
  return `${month}${year.slice(2)}`;
}
