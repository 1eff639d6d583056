import type { VerdictFacts } from '../../graph/verdict.ts';
import { ACTIONS, DETAILS, IF_NEEDED, type Language, REPEATABLE, SENTENCES } from './texts.ts';

/** Longest part of a reason in a summary, in characters. */
const LONGEST_REASON = 160;

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The reader of a summary. */
export interface Reader {
  readonly language: Language;
  /** An IANA name. */
  readonly timeZone: string;
  readonly now: Date;
}

/** The facts as one to four sentences, such as "Waiting for the payer since Tuesday; expires in 3 days." */
export function summarize(facts: VerdictFacts, reader: Reader): string {
  const { cause, since, actBy, reason, detail } = facts;
  const { language } = reader;
  const moment = momentOf(since, reader);
  const values: Readonly<Record<string, string | null>> = {
    since: language === 'EN' ? `since ${moment}` : `desde ${moment}`,
    at: atMoment(since, moment, reader),
    until: actBy && untilText(actBy, reader),
    reason: (reason && quote(reason)) || null,
  };
  const sentence = fill(detail ? DETAILS[language][detail] : SENTENCES[language][cause], values);
  return [sentence, actionText(facts, language)].filter(Boolean).join(' ');
}

function actionText({ cause, next }: VerdictFacts, language: Language): string {
  if (next) {
    return ACTIONS[language][next];
  }
  return REPEATABLE.has(cause) ? IF_NEEDED[language] : '';
}

/**
 * Fills the placeholders in one pass, so that a reason is never read as a placeholder. A reason that ends with a mark of its own
 * gets no full stop.
 */
function fill(template: string, values: Readonly<Record<string, string | null>>): string {
  const whole = template.replace(/\[([^\]]*)\]/g, (_all, part: string) =>
    [...part.matchAll(/\{(\w+)\}/g)].every(([, name]) => values[String(name)] !== null) ? part : '',
  );
  return whole.replace(/\{(\w+)\}(\.?)/g, (_all, name: string, stop: string) => {
    const value = values[name] ?? '';
    return /[?…]$/.test(value) ? value : value + stop;
  });
}

/** One line, not too long, without the full stop that the sentence has itself. */
function quote(reason: string): string {
  const characters = [...reason.replace(/\s+/g, ' ').trim()];
  const short =
    characters.length > LONGEST_REASON
      ? `${characters.slice(0, LONGEST_REASON).join('')}…`
      : characters.join('');
  return short.replace(/[.!]+$/, '');
}

/** A time of today, a weekday of the last six days, or a date. */
function momentOf(at: Date, reader: Reader): string {
  const { language, now, timeZone } = reader;
  const days = dayNumber(now, timeZone) - dayNumber(at, timeZone);
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language === 'EN' ? 'en-GB' : 'es', { ...options, timeZone }).format(at);
  if (days <= 0) {
    const time = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    return language === 'EN' ? time : `${time.startsWith('01') ? 'la' : 'las'} ${time}`;
  }
  const year = days > 300 ? ({ year: 'numeric' } as const) : {};
  const text = days < 7 ? format({ weekday: 'long' }) : format({ day: 'numeric', month: 'long', ...year });
  return language === 'EN' ? text : `el ${text}`;
}

function atMoment(at: Date, moment: string, { language, now, timeZone }: Reader): string {
  const isToday = dayNumber(now, timeZone) <= dayNumber(at, timeZone);
  if (language === 'EN') {
    return isToday ? `at ${moment}` : `on ${moment}`;
  }
  return isToday ? `a ${moment}` : moment;
}

/** Days since 1970 on the calendar of the zone. */
function dayNumber(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day')) / DAY_MS;
}

/** The time that is left, in the largest unit of which there are at least two; at least a minute. It is rounded down, but 6 days and 23 hours are 7 days. */
function untilText(until: Date, { language, now }: Reader): string {
  const ms = until.getTime() - now.getTime();
  const format = new Intl.RelativeTimeFormat(language === 'EN' ? 'en' : 'es');
  if (ms >= 2 * DAY_MS) {
    return format.format(Math.floor((ms + HOUR_MS) / DAY_MS), 'day');
  }
  return ms >= 2 * HOUR_MS
    ? format.format(Math.floor(ms / HOUR_MS), 'hour')
    : format.format(Math.max(1, Math.round(ms / MINUTE_MS)), 'minute');
}
