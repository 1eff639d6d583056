/** The type of `READY_FOR_PICKUP` in Pascal case: `ReadyForPickup`. */
type PascalCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Capitalize<Lowercase<Word>>}${PascalCase<Rest>}`
  : Capitalize<Lowercase<Name>>;

/** `READY_FOR_PICKUP` of the graph is `ReadyForPickup` on the wire. */
export function inPascalCase<Name extends string>(name: Name): PascalCase<Name> {
  const words = name.split('_').map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`);
  // The cast: string methods forget literal types.
  return words.join('') as PascalCase<Name>;
}

/** `CASH_PICKUP` of the graph is `CashPickup` on the wire, `UBN` is `UBN`. */
export function paymentMethodType(name: string): string {
  return name === 'UBN' ? name : inPascalCase(name);
}

/** The values of an enum of the graph, as documents 2 and 3 have them: `CREATED` is `created`. */
export function inLowerCase(values: Readonly<Record<string, string>>): string[] {
  return Object.values(values).map((value) => value.toLowerCase());
}
