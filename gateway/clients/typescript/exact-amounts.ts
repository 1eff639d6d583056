/** The names of properties that hold amounts and rates, in every request, answer and webhook of the REST documents. */
export const AMOUNTS: ReadonlySet<string> = new Set([
  'amount',
  'estimatedExchangeRate',
  'exchangeRate',
  'fee',
  'rate',
  'receive',
  'recipientAmount',
  // Document 1 spells it so.
  'recipientAmout',
  'send',
  'senderAmount',
  'tenantfee',
]);

/** Every text of a JSON document, with the number or the text that follows it as the value of a property. */
const TEXT = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const WITH_NUMBER = new RegExp(`(${TEXT})(?:(\\s*:\\s*)(${NUMBER}))?`, 'g');
const WITH_DECIMAL_TEXT = new RegExp(`(${TEXT})(?:(\\s*:\\s*)"(${NUMBER})"(?!\\s*:))?`, 'g');

/** JSON with amounts as texts: `{"amount":10.10}` becomes `{"amount":"10.10"}`. No digit is lost when it is parsed. */
export function quoteAmounts(json: string): string {
  return json.replaceAll(WITH_NUMBER, (all, name: string, colon: string | undefined, number: string) =>
    colon !== undefined && isAmount(name) ? `${name}${colon}"${number}"` : all,
  );
}

/** Parses JSON, such as the body of a webhook, with amounts as texts. @throws SyntaxError for a text that is not JSON */
export function parseExact(json: string): unknown {
  return JSON.parse(quoteAmounts(json));
}

/** JSON with amounts as numbers, as the documents have them: `{"amount":"10.10"}` becomes `{"amount":10.10}`. */
export function unquoteAmounts(json: string): string {
  return json.replaceAll(WITH_DECIMAL_TEXT, (all, name: string, colon: string | undefined, number: string) =>
    colon !== undefined && isAmount(name) ? `${name}${colon}${number}` : all,
  );
}

const isAmount = (quoted: string) => AMOUNTS.has(quoted.slice(1, -1));

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
