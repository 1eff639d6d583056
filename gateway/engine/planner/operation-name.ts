/** The name of the only operation of a document of our own; undefined for one without. */
export function operationNameOf(document: string): string | undefined {
  return /\b(?:query|mutation)\s+(\w+)/.exec(document)?.[1];
}
