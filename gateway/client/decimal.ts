declare const DECIMAL: unique symbol;

/**
 * A decimal number of the graph as a string of digits, such as `1500.50`: the type of the scalar `Decimal`. It is exact, and
 * TypeScript takes neither a number nor any other string for it. Where the graph takes a `Decimal`, pass a string.
 */
export type Decimal = string & { readonly [DECIMAL]: true };
