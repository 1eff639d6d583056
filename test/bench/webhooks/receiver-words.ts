/** A request that was answered. */
export interface Answered {
  readonly id: string;
  readonly path: string;
  readonly status: number;
  /** Milliseconds since 1970, with fractions. */
  readonly at: number;
}

export type ReceiverOrder =
  /** `/back` answers 204 from now on. */
  | { readonly kind: 'open' }
  /** `count` answers: how many 204 there have been since the last `take`. */
  | { readonly kind: 'count' }
  /** `taken` answers with everything since the last time; all begins anew. */
  | { readonly kind: 'take' };

export type ReceiverWord =
  | { readonly kind: 'ready'; readonly port: number }
  | { readonly kind: 'count'; readonly accepted: number }
  | {
      readonly kind: 'taken';
      readonly answered: readonly Answered[];
      /** The most requests under way at once, by the first part of the path; of `/back` since it was opened. */
      readonly most: Readonly<Record<string, number>>;
    };
