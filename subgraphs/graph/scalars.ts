import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { isCountry, isCurrency } from '../kernel/money/iso.ts';
import { isDate } from '../kernel/person/checks.ts';

const DECIMAL = /^-?\d+(\.\d+)?$/;
/** No JSON number has them: services read amounts as JSON numbers of any length. */
const LEADING_ZEROS = /^(-?)0+(?=\d)/;
/** Most characters: no amount comes near it, and work with a million digits takes seconds. */
const LONGEST_DECIMAL = 100;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

interface ScalarDefinition<T> {
  name: string;
  description: string;
  specifiedByURL?: string;
  /** From the text that the client wrote to the value that services get; undefined rejects it. */
  read(text: string): T | undefined;
  /** From the service's value to the text on the wire. */
  write(value: T): string;
  /** Whether a number is accepted too, by its digits. */
  acceptsNumbers?: boolean;
}

/** A scalar whose wire form is a JSON string. */
function textScalar<T>(definition: ScalarDefinition<T>): GraphQLScalarType<T, string> {
  const read = (value: unknown): T => {
    const parsed = typeof value === 'string' ? definition.read(value) : undefined;
    if (parsed === undefined) {
      // The value is not repeated: it may be a card number in the wrong place, and messages get into logs.
      throw new GraphQLError(`The value is not a ${definition.name}.`);
    }
    return parsed;
  };
  return new GraphQLScalarType<T, string>({
    name: definition.name,
    description: definition.description,
    specifiedByURL: definition.specifiedByURL,
    // The cast: fields of this type resolve to its values.
    serialize: (value) => definition.write(value as T),
    parseValue: (value) =>
      read(definition.acceptsNumbers && typeof value === 'number' ? exactText(value) : value),
    parseLiteral: (node) => read(literalText(node, definition.acceptsNumbers === true)),
  });
}

function literalText(node: ValueNode, acceptsNumbers: boolean): unknown {
  if (node.kind === Kind.STRING) {
    return node.value;
  }
  return acceptsNumbers && (node.kind === Kind.INT || node.kind === Kind.FLOAT) ? node.value : null;
}

/** A double keeps 15 digits exactly. */
export const DIGITS_OF_A_DOUBLE = 15;

/**
 * The digits of a JSON number, which reached us as a double; null where it may have lost some: from 16 digits on, and
 * from 10^15 on. For more digits, write a string.
 */
function exactText(value: number): string | null {
  const text = String(value);
  const digits = text.replace(/^-?0?\.?0*|\./g, '');
  return Math.abs(value) < 1e15 && DECIMAL.test(text) && digits.length <= DIGITS_OF_A_DOUBLE ? text : null;
}

function parseTime(text: string): Date | undefined {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

export const DecimalScalar = textScalar<string>({
  name: 'Decimal',
  description:
    'A decimal number as a string of digits, such as "1500.50": exact to the digits given, never a float.',
  specifiedByURL: 'https://www.w3.org/TR/xmlschema11-2/#decimal',
  read: (text) =>
    text.length <= LONGEST_DECIMAL && DECIMAL.test(text) ? text.replace(LEADING_ZEROS, '$1') : undefined,
  write: (value) => value,
  acceptsNumbers: true,
});

export const CurrencyCodeScalar = textScalar<string>({
  name: 'CurrencyCode',
  description: 'A currency by its ISO 4217 code, such as "MXN".',
  specifiedByURL: 'https://www.iso.org/iso-4217-currency-codes.html',
  read: (text) => (isCurrency(text) ? text : undefined),
  write: (value) => value,
});

export const CountryCodeScalar = textScalar<string>({
  name: 'CountryCode',
  description: 'A country by its ISO 3166-1 alpha-2 code, such as "MX".',
  specifiedByURL: 'https://www.iso.org/iso-3166-country-codes.html',
  read: (text) => (isCountry(text) ? text : undefined),
  write: (value) => value,
});

export const DateTimeScalar = textScalar<Date>({
  name: 'DateTime',
  description: 'An instant by RFC 3339 in UTC with milliseconds, such as "2026-11-21T08:00:00.000Z".',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  read: (text) => (DATE_TIME.test(text) && isDate(text.slice(0, 10)) ? parseTime(text) : undefined),
  write: (value) => new Date(value).toISOString(),
});

export const DateScalar = textScalar<string>({
  name: 'Date',
  description: 'A calendar date as YYYY-MM-DD.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  read: (text) => (isDate(text) ? text : undefined),
  write: (value) => value,
});
