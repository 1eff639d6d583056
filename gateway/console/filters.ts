// The filters of a list. They are part of the page's address, so that reload, back and a pasted link show the same
// list.
import { LONGEST_SPAN_DAYS } from '../../subgraphs/graph/longest-span.ts';

/** The filters of a list by name: for a choice, the values separated by commas; for a span, `last`, or `from` and `to`. */
export type FilterValues = Readonly<Record<string, string>>;

/** A filter that a list offers. Its name is also the key of its label among the words. */
export type FilterField<Label extends string = string> =
  | NamedField<Label>
  /** A span of time. @property where by default `createdAt` */
  | { readonly kind: 'span'; readonly where?: string };

/** A filter of one value of the rows. */
export type NamedField<Label extends string = string> = {
  readonly name: Label;
  /** Its name in the list's `where`; by default `name`. */
  readonly where?: string;
  /** Whether the graph takes it only with a span of at most {@link LONGEST_SPAN_MS}: it has no index of its own. */
  readonly needsSpan?: true;
} & (
  | { readonly kind: 'text' }
  /** A code in capitals, such as a currency. */
  | { readonly kind: 'code' }
  | { readonly kind: 'yes-no' }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  /** One of several. @property nameOf by default the name of the value among the words */
  | {
      readonly kind: 'one';
      readonly options: readonly string[];
      readonly nameOf?: (option: string) => string;
    }
);

/** Spans of time up to now, by their name in the address, in milliseconds. A bookmark of one always shows the newest rows. */
export const PRESETS = {
  '1h': 3_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
  '30d': 2_592_000_000,
} as const;
export type Preset = keyof typeof PRESETS;

/** The longest span of time with which the graph takes a filter without an index of its own. */
export const LONGEST_SPAN_MS = LONGEST_SPAN_DAYS * 86_400_000;

export function isPreset(text: string | undefined): text is Preset {
  return text !== undefined && Object.hasOwn(PRESETS, text);
}

/** Where a page of a list begins or ends. */
export interface PagePosition {
  readonly after?: string;
  readonly before?: string;
}

/** The names under which a filter stands in the address. */
export function namesOf(field: FilterField): readonly string[] {
  return field.kind === 'span' ? ['last', 'from', 'to'] : [field.name];
}

/** Reads the known fields, and omits empty values. A filter that needs a span of time gets the longest preset where there is none. */
export function readFilters(
  fields: readonly FilterField[],
  query: Readonly<Record<string, string>>,
): FilterValues {
  const names = fields.flatMap(namesOf);
  const entries = names.map((name) => [name, (query[name] ?? '').trim()] as const);
  const values: FilterValues = Object.fromEntries(entries.filter(([, value]) => value !== ''));
  return needSpan(fields, values) && !spanOf(values) ? { ...values, last: '30d' } : values;
}

/** Whether a given filter needs a span of time. */
function needSpan(fields: readonly FilterField[], values: FilterValues): boolean {
  return fields.some((field) => field.kind !== 'span' && field.needsSpan && values[field.name] !== undefined);
}

export function readPosition({ after, before }: Readonly<Record<string, string>>): PagePosition {
  return after ? { after } : before ? { before } : {};
}

/** The longest name of a view, in characters. */
export const LONGEST_VIEW = 60;

/** The name that the address gives to its filters; undefined if it has none. */
export function readView({ view = '' }: Readonly<Record<string, string>>): string | undefined {
  return view.trim().slice(0, LONGEST_VIEW) || undefined;
}

/**
 * The address of a list.
 * @param path without a query
 * @param view the name of the filters
 */
export function addressOf(
  path: string,
  values: FilterValues,
  position: PagePosition = {},
  view?: string,
): string {
  const query = new URLSearchParams({ ...values, ...position, ...(view && { view }) });
  query.sort();
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The valid chosen values; undefined for none, which means all. */
export function chosen<Value extends string>(
  text: string | undefined,
  options: readonly Value[],
): Value[] | undefined {
  const values = new Set(text?.split(','));
  const known = options.filter((option) => values.has(option));
  return known.length === 0 ? undefined : known;
}

/** A span of time, from `gte` up to `lt`, which is not in it. */
interface Span {
  readonly gte?: string;
  readonly lt?: string;
}

/** A span of time for a `where`. It omits invalid times. A preset counts from now, and `from` and `to` have no effect then. */
export function spanOf({ last, from, to }: FilterValues, now = Date.now()): Span | undefined {
  if (isPreset(last)) {
    return { gte: new Date(now - PRESETS[last]).toISOString() };
  }
  const gte = instantOf(from);
  const lt = instantOf(to);
  return gte === undefined && lt === undefined ? undefined : { ...(gte && { gte }), ...(lt && { lt }) };
}

function instantOf(text: string | undefined): string | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** The span of time of a list. If a filter needs one, an end that is missing is as far from the other one as the graph permits. */
function spanOfList(fields: readonly FilterField[], values: FilterValues): Span | undefined {
  const span = spanOf(values);
  if (!(span && needSpan(fields, values))) {
    return span;
  }
  const { gte, lt } = span;
  return {
    ...span,
    ...(gte === undefined && lt !== undefined && { gte: moved(lt, -LONGEST_SPAN_MS) }),
    ...(lt === undefined && gte !== undefined && { lt: moved(gte, LONGEST_SPAN_MS) }),
  };
}

function moved(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}

/** Whether a record of this time is in the span of time of a list. */
export function isInSpan(at: string, fields: readonly FilterField[], values: FilterValues): boolean {
  const { gte, lt } = spanOfList(fields, values) ?? {};
  return at >= (gte ?? '') && (lt === undefined || at < lt);
}

/** The `where` of a list: the filters without empty ones. */
export function whereOf(fields: readonly FilterField[], values: FilterValues): object {
  const conditionOf = (field: FilterField): [name: string, condition: unknown] =>
    field.kind === 'span'
      ? [field.where ?? 'createdAt', spanOfList(fields, values)]
      : [field.where ?? field.name, wantedBy(field, values[field.name])];
  return defined(Object.fromEntries(fields.map(conditionOf)));
}

/** The conditions of a list besides its status, by which tabs count. */
export function withoutStatus(where: object): object {
  return Object.fromEntries(Object.entries(where).filter(([name]) => name !== 'status'));
}

/** The condition of a filter; undefined if it matches everything. */
function wantedBy(field: NamedField, text: string | undefined) {
  switch (field.kind) {
    case 'text':
      return text;
    case 'code':
      return text?.toUpperCase();
    case 'yes-no':
      return yesNo(text);
    case 'choice':
      return chosen(text, field.options);
    case 'one':
      return chosen(text, field.options)?.[0];
  }
}

/** Whether a value of a row matches a filter. */
export function lets(field: NamedField, value: unknown, values: FilterValues): boolean {
  const wanted = wantedBy(field, values[field.name]);
  return wanted === undefined || [wanted].flat().some((one) => one === value);
}

export function yesNo(text: string | undefined): boolean | undefined {
  return text === 'yes' ? true : text === 'no' ? false : undefined;
}

/** Omits undefined values: a `where` without conditions is empty. */
export function defined<Where extends object>(where: Where): Where {
  return Object.fromEntries(Object.entries(where).filter(([, value]) => value !== undefined)) as Where;
}

/** A `where` as the query of an export: `createdAt.gte=…`, and `status` once for each value. */
export function exportQuery(where: object): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(where)) {
    for (const [key, one] of inner(name, value)) {
      query.append(key, one);
    }
  }
  return query;
}

function inner(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) {
    return value.map((one) => [name, String(one)]);
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).map(([field, one]) => [`${name}.${field}`, String(one)])
    : [[name, String(value)]];
}
