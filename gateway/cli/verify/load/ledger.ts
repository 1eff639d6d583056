/** The answers that the partner got, and differences between them. */
export interface Ledger {
  /** The first answer to each create that was accepted, by reference. */
  readonly accepted: Map<string, string>;
  /** References of money requests that the partner has cancelled. */
  readonly cancelled: Set<string>;
  /** Ids of accepted atomic calls. */
  readonly atomic: Set<string>;
  /** Number of creates that were sent again, with the same body. */
  sentAgain: number;
  /** Number of creates of a used reference with another body. */
  sentOther: number;
  /** Answers that differ from the contract. */
  readonly differences: string[];
}

export function createLedger(): Ledger {
  return {
    accepted: new Map(),
    cancelled: new Set(),
    atomic: new Set(),
    sentAgain: 0,
    sentOther: 0,
    differences: [],
  };
}
