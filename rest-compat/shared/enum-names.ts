/** `READY_FOR_PICKUP` of the graph is `ReadyForPickup` on the wire. */
export function inPascalCase(name: string): string {
  return name
    .split('_')
    .map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`)
    .join('');
}

/** `CASH_PICKUP` of the graph is `CashPickup` on the wire, `UBN` is `UBN`. */
export function paymentMethodType(name: string): string {
  return name === 'UBN' ? name : inPascalCase(name);
}
