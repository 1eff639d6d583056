/** Something that the operator can mend; its message says what to do. */
export class BuildError extends Error {}
