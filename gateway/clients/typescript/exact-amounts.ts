/** The names of properties that hold amounts and rates, in every request, answer and webhook of the REST documents. */
export const AMOUNTS: ReadonlySet<string> = new Set([
  'amount',
  'estimatedExchangeRate',
  'exchangeRate',
  'fee',
  // Of statements, as `fx`.
  'fees',
  'fx',
  'rate',
  'receive',
  'recipientAmount',
  // Document 1 spells it so.
  'recipientAmout',
  'send',
  'senderAmount',
  'tenantfee',
]);

/** The names of properties whose objects have members of any name, which stay as they are: partners' own data, and providers' details. */
export const FREE_OBJECTS: ReadonlySet<string> = new Set([
  'cipResult',
  'metadata',
  'paymentMethod',
  'result',
]);

const TEXT = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
/** Each text of a JSON document, with the value that follows it as that of a property, and each bracket. */
const tokens = (value: string) => new RegExp(`(${TEXT})(?:(\\s*:\\s*)(?:${value}|([{[])))?|[{}[\\]]`, 'g');
const WITH_NUMBER = tokens(`(${NUMBER})`);
const WITH_DECIMAL_TEXT = tokens(`"(${NUMBER})"`);
const OPENING = ['{', '['];
const CLOSING = ['}', ']'];

/** JSON with amounts as texts: `{"amount":10.10}` becomes `{"amount":"10.10"}`. No digit is lost when it is parsed. */
export function quoteAmounts(json: string): string {
  return replaceAmounts(json, WITH_NUMBER, (number) => `"${number}"`);
}

/** Parses JSON, such as the body of a webhook, with amounts as texts. @throws SyntaxError for a text that is not JSON */
export function parseExact(json: string): unknown {
  return JSON.parse(quoteAmounts(json));
}

/** JSON with amounts as numbers, as the documents have them: `{"amount":"10.10"}` becomes `{"amount":10.10}`. */
export function unquoteAmounts(json: string): string {
  return replaceAmounts(json, WITH_DECIMAL_TEXT, (number) => number);
}

function replaceAmounts(json: string, pattern: RegExp, replace: (number: string) => string): string {
  /** The open brackets of a free object; 0 outside of one. */
  let depth = 0;
  return json.replaceAll(pattern, (all, quoted = '', colon = '', number?: string, opening?: string) => {
    const name = quoted.slice(1, -1);
    const last = opening ?? all;
    if (depth > 0 || (opening === '{' && FREE_OBJECTS.has(name))) {
      depth += OPENING.includes(last) ? 1 : 0;
      depth -= CLOSING.includes(last) ? 1 : 0;
    } else if (number !== undefined && AMOUNTS.has(name)) {
      return `${quoted}${colon}${replace(number)}`;
    }
    return all;
  });
}

/**
 * Changes an OpenAPI document in place, so that generators make amounts `string` and not `number`. Pass it to `@hey-api/openapi-ts` as
 * `parser.patch.input`.
 * @param document as it is served at `/v1/openapi.json`, `/v1/user/openapi.json` or `/partner/openapi.json`
 */
export function exactAmounts(document: object): void {
  for (const [name, value] of Object.entries(document)) {
    if (typeof value !== 'object' || value === null) {
      continue;
    }
    if (AMOUNTS.has(name) && 'type' in value && value.type === 'number') {
      const bounds = ['exclusiveMinimum', 'exclusiveMaximum', 'minimum', 'maximum', 'multipleOf'];
      for (const bound of bounds) {
        Reflect.deleteProperty(value, bound);
      }
      Object.assign(value, { type: 'string', format: 'decimal' });
    }
    exactAmounts(value);
  }
}
