import type { Call, DocumentName } from '../shared/call.ts';

/** The options that only calls of document 3 have. */
interface Details {
  /** Whether the answer is the bare object, without the success envelope (document 3, "Envelopes"). */
  readonly isBare?: boolean;
  /** Whether a body with an image may be larger than other bodies. */
  readonly takesImage?: boolean;
  /** Whether the key needs the scope `partner_admin`, too. */
  readonly needsPartnerAdmin?: boolean;
}

/** A call of document 3. */
export type PartnerCall<Name extends DocumentName = DocumentName> = Call<Name, Details>;
