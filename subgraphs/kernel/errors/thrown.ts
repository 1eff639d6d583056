/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}

/** The code of what was thrown, such as `ENOENT`, if it has one. */
export function codeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** Whether what was thrown has one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.some((code) => code === codeOf(error));
}
