import { type GetId, getterOf, type Ids, newPhone, newWord } from './ids.ts';

/** Values that are new with each try and so differ between tries: they are masked in their answers. */
interface Fresh {
  /** Eight letters: an id for whatever a partner names itself. */
  word(): string;
  phone(): string;
  /** The reference of a money request of the caller's own that nobody has paid yet. */
  moneyRequest(): string;
}

/** One way to drive an operation. */
export interface Variant<Arguments> {
  /**
   * @param id reads an id of the set that is tried: the caller's own, another tenant's, or such as nobody has
   * @param own reads an id of the caller's own
   */
  with(id: GetId, own: GetId, fresh: Fresh): Arguments;
  /**
   * `free`: the id names something new, or a place in a list, so that an unknown one is as good as the caller's own.
   * `mismatch`: document 1 has an answer of its own to a user of another tenant.
   * `operators`: partners get FORBIDDEN, whatever the id.
   * `simulation`: a live key gets SANDBOX_ONLY, whatever the id.
   * `emptying`: it has no id and would remove the caller's records, so it is not driven here: `e2e/sandbox-clock` resets one
   * account beside another.
   */
  readonly is?: 'free' | 'mismatch' | 'operators' | 'simulation' | 'emptying';
}

/** The ways to drive each operation of a surface, by its name. */
export type Variants<Arguments> = Readonly<Record<string, readonly Variant<Arguments>[]>>;

/** A variant with a set of ids in place. */
export interface Try<Arguments> {
  readonly args: Arguments;
  /** Ids of the set that it has in it, and what is fresh: name by value. */
  readonly sent: ReadonlyMap<string, string>;
}

export type Prepare = <Arguments>(variant: Variant<Arguments>, ids: Ids) => Try<Arguments>;

/**
 * @param moneyRequests references of unpaid money requests of the caller's; each is used once. A variant that needs one when
 *   none is left throws an error.
 */
export function preparing(own: Ids, moneyRequests: Iterator<string>): Prepare {
  return (variant, ids) => {
    const sent = new Map<string, string>();
    const note = (name: string, value: string) => {
      sent.set(value, name);
      return value;
    };
    const args = variant.with((name) => note(name, getterOf(ids)(name)), getterOf(own), {
      word: () => note('word', newWord().slice(0, 8)),
      phone: () => note('phone', newPhone()),
      moneyRequest: () => {
        const { value, done } = moneyRequests.next();
        if (done) {
          throw new Error('No unpaid money request is left');
        }
        return note('moneyRequest', value);
      },
    });
    return { args, sent };
  };
}

/** Whether any id of the set that is tried is in it. */
export function hasId({ sent }: Pick<Try<unknown>, 'sent'>): boolean {
  return [...sent.values()].some((name) => !['word', 'phone', 'moneyRequest'].includes(name));
}

/** The text, with sent ids, times and generated values replaced by their names. */
export function mask(text: string, sent: ReadonlyMap<string, string>): string {
  const named = [...sent].reduce((masked, [value, name]) => masked.replaceAll(value, `<${name}>`), text);
  return MADE.reduce((masked, [made, name]) => masked.replaceAll(made, name), named);
}

const MADE: readonly (readonly [RegExp, string])[] = [
  [/whsec_[\w-]{32}/g, '<secret>'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>'],
  [/\/Date\(\d+\)\//g, '<time>'],
  [/(?<=\/(?:w|fund)\/)[\w-]{22}/g, '<token>'],
  [/(?<="code":")[2-9A-HJ-NP-Z]{8}(?=")/g, '<code>'],
  // How often a contact was asked for money.
  [/(?<="requests":)\d+/g, '<count>'],
  // The payments of a user, of which some calls make more.
  [/(?<="paymentTotals":\{"currencies":)\[[^\]]*\]/g, '<totals>'],
  [/(?<="nodeId":")[\w-]+/g, '<node>'],
  // After all that may look like one by chance.
  [/\b[a-z]{1,4}_[\w-]{20}(?![\w-])/g, '<id>'],
];

/** The arguments of a root field. */
export interface GraphArguments {
  readonly variables: Readonly<Record<string, unknown>>;
  /** Its selections; by default everything that the schema has, as far as `depth`. Of `node`, the type. */
  readonly selection?: string;
  /** How many entities one within another; default 2. */
  readonly depth?: number;
}

/** The options of a call. */
export interface RestArguments {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** All that the lists have. */
export const wholeLists = (lists: readonly string[]): Variants<GraphArguments> =>
  Object.fromEntries(
    lists.map((list) => [list, [{ with: () => ({ variables: { first: 100 }, depth: 1 }) }]]),
  );
