import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Amount, formatDuration, formatMoney, formatTime, formatTimeIn } from '../format.ts';
import { wordsOfCode } from '../language/codes.ts';
import type { Words } from '../language/en.ts';
import { language, words, zone } from '../settings.tsx';
import { Icon } from './icon.tsx';

/** A value of one of the graph's enums that has a name among the words. */
export type NamedValue = keyof Words['values'];

/** The appearance of a status. The icon of that name shows it without colour. */
export type Tone = 'good' | 'bad' | 'busy' | 'idle';

const GOOD: readonly NamedValue[] = [
  'COMPLETED',
  'APPROVED',
  'DELIVERED',
  'VERIFIED',
  'CLOSED',
  'DONE',
  'FUNDED',
  'SUCCESS',
  'HELD',
];
const BAD: readonly NamedValue[] = [
  'REJECTED',
  'FAILED',
  'DEAD_LETTERED',
  'OPEN',
  'ERROR',
  'CLIENT_ERROR',
  'SERVER_ERROR',
  'LAPSED',
  'SILENT',
];
const IDLE: readonly NamedValue[] = [
  'CANCELLED',
  'REVOKED',
  'PAUSED',
  'STOPPED',
  'CREATED',
  'FREE',
  'EXPIRED',
  'SUCCEEDED',
];

function toneOf(value: NamedValue): Tone {
  return GOOD.includes(value) ? 'good' : BAD.includes(value) ? 'bad' : IDLE.includes(value) ? 'idle' : 'busy';
}

interface StatusOptions {
  readonly value: NamedValue;
  /** For a value that means something else here: a replay that runs is busy, a process that runs is healthy. */
  readonly tone?: Tone;
  /** The code of the graph, if the words are those of another value. */
  readonly code?: string;
}

/** A status in words, with its sign. Its title has the code. */
export function Status({ value, tone = toneOf(value), code = value }: StatusOptions) {
  return (
    <span class={`status ${tone}`} title={code}>
      <Icon name={tone} /> {words.value.values[value]}
    </span>
  );
}

/** A value that indicates a problem. */
export function Bad({ children }: { readonly children: ComponentChildren }) {
  return (
    <span class="status bad">
      <Icon name="bad" /> {children}
    </span>
  );
}

/** Whether a text is a value that has a name among the words. */
export function isNamed(value: string): value is NamedValue {
  return Object.hasOwn(words.value.values, value);
}

/** The name of a value that is plain text in the graph; the text itself if it has no name. */
export function Named({ value }: { readonly value: string }) {
  return <>{isNamed(value) ? words.value.values[value] : value}</>;
}

/** The words for a code that is plain text in the graph; its title has the code. Texts that are no code are shown as they are. */
export function CodeWords({ of }: { readonly of: string }) {
  const text = wordsOfCode(of, language.value);
  return <span {...(text !== of && { title: of })}>{text}</span>;
}

export function Money({ of }: { readonly of: Amount | null | undefined }) {
  return of ? <span class="number">{formatMoney(of, language.value)}</span> : <None />;
}

interface TimeProps {
  readonly of: string | null | undefined;
  /** With its milliseconds. */
  readonly isExact?: boolean;
  /** IANA name of the zone of the record, such as that of a statement: the same for every reader. */
  readonly inZone?: string;
}

/** An instant in the zone that the reader chose, or in that of its record; its title has it in UTC. */
export function Time({ of, isExact = false, inZone }: TimeProps) {
  return of ? (
    <time dateTime={of} title={of}>
      {inZone === undefined
        ? formatTime(of, language.value, zone.value, isExact)
        : formatTimeIn(of, language.value, inZone)}
    </time>
  ) : (
    <None />
  );
}

/** The time of the next attempt, below a status in a table; nothing without one. */
export function NextAttempt({ at }: { readonly at: string | null }) {
  return at === null ? null : (
    <p class="sentence">
      {words.value.fields.nextAttemptAt}: <Time of={at} />
    </p>
  );
}

/** The time since an instant, which updates itself. Empty for a future instant. */
export function Since({ of }: { readonly of: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const ms = now - Date.parse(of);
  return ms < 0 ? (
    <None />
  ) : (
    <time dateTime={of} title={of}>
      {formatDuration(ms, language.value)}
    </time>
  );
}

/** Nothing is known. */
export function None() {
  return <span class="none">{words.value.common.none}</span>;
}

/** An id, with a button that copies it. */
export function Id({ of }: { readonly of: string }) {
  return (
    <span class="id">
      <code>{of}</code> <Copy text={of} />
    </span>
  );
}

interface CopyProps {
  readonly text: string;
  /** The label of the button; by default "Copy". */
  readonly label?: string;
}

/** Copies a text, and says so. Where the page may not, it offers the text, selected. */
export function Copy({ text, label = words.value.common.copy }: CopyProps) {
  const [last, setLast] = useState<{ readonly text: string; readonly isCopied: boolean }>();
  const { common, notices } = words.value;
  const copy = async () => setLast({ text, isCopied: await toClipboard(text) });
  // The result of another text says nothing about this one.
  const isCopied = last?.text === text ? last.isCopied : undefined;
  return (
    <>
      <button type="button" class="small" onClick={() => void copy()}>
        {isCopied ? common.copied : label}
      </button>
      {isCopied === false && (
        <label>
          <span role="alert">{notices.notCopied}</span>{' '}
          <input readOnly value={text} ref={focus} onFocus={({ currentTarget }) => currentTarget.select()} />
        </label>
      )}
    </>
  );
}

/** @returns false without permission, and on pages without HTTPS, which have no clipboard */
async function toClipboard(text: string): Promise<boolean> {
  return (
    isSecureContext &&
    navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  );
}

function focus(input: HTMLInputElement | null): void {
  input?.focus();
}

/** Name of a person; the user's id when none is known. */
export function nameOf(user: {
  readonly id: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
}): string {
  return wholeName(user) || user.id;
}

/** First and last name, as far as they are known; empty if neither is. */
export function wholeName({
  firstName,
  lastName,
}: {
  readonly firstName: string | null;
  readonly lastName: string | null;
}): string {
  return [firstName, lastName].filter(Boolean).join(' ');
}
