/** Something that the operator can fix; its message says what to do. */
export class BuildError extends Error {}
