import type { IdName } from './ids.ts';
import type { GraphArguments, Variant } from './variant.ts';

export type GraphVariant = Variant<GraphArguments>;
export type With = (...given: Parameters<GraphVariant['with']>) => Readonly<Record<string, unknown>>;

export const variant = (make: With, is?: GraphVariant['is'], selection?: string): GraphVariant => ({
  with: (id, own, fresh) => ({ variables: make(id, own, fresh), ...(selection && { selection }) }),
  ...(is && { is }),
});
export const nothing = variant(() => ({}));
export const by = (argument: string, name: IdName): GraphVariant =>
  variant((id) => ({ [argument]: id(name) }));
const DAY_MS = 86_400_000;
const NOW = Date.now();
/** Filters without an index of their own look through 31 days alone: this is 31 days, to the millisecond. */
const createdAt = {
  gte: new Date(NOW - 30 * DAY_MS).toISOString(),
  lt: new Date(NOW + DAY_MS).toISOString(),
};
export const spanned = (field: string, name: IdName): GraphVariant =>
  variant((id) => ({ where: { createdAt, [field]: id(name) } }));
export const spannedTotals = (field: string, name: IdName): GraphVariant =>
  variant((id) => ({ groupBy: ['STATUS'], where: { createdAt, [field]: id(name) } }));
export const where = (field: string, name: IdName, selection?: string): GraphVariant =>
  variant((id) => ({ where: { [field]: id(name) } }), undefined, selection);
/** Totals of everything, or of the records with an id. */
export const totals = (field?: string, name?: IdName): GraphVariant =>
  variant((id) => ({ groupBy: ['STATUS'], ...(field && name && { where: { [field]: id(name) } }) }));
const COUNTED = `total { created completed failed cancelled statuses { status count } volume { currency created { amount } } }
  series(by: DAY) { created }`;
/** Figures of the last 31 days. Those of webhooks change while some are sent. */
export const counted = (of: 'OPERATION' | 'REQUEST_MONEY'): GraphVariant =>
  variant(() => ({ of, from: createdAt.gte, to: createdAt.lt }), undefined, COUNTED);
export const searched = (name: IdName): GraphVariant =>
  variant((id) => ({ text: id(name) }), undefined, 'matchedBy node { __typename nodeId }');
export const input = (make: With, is?: GraphVariant['is'], selection?: string): GraphVariant =>
  variant((...given) => ({ input: make(...given) }), is, selection);

/** The beginning of a list, and what lies on either side of a place in it. */
export const pages = (list: string, selection?: string): GraphVariant[] => [
  variant(() => ({ first: 5 }), undefined, selection),
  variant((id) => ({ first: 5, after: id(`cursor:${list}`) }), 'free', selection),
  variant((id) => ({ last: 5, before: id(`cursor:${list}`) }), 'free', selection),
];
