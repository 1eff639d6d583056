import { redactUrls } from '../log/redact.ts';

/** An error that the operator can mend. Its message says what is wrong and what to do; a stack would only hide it. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}

/**
 * What a process says on its way out: the message of what can be mended, the stack of what is a bug. Neither shows what
 * may be secret in a URL.
 */
export function describeFatal(error: unknown): string {
  return redactUrls(error instanceof OperatorError ? error.message : stackOf(error));
}

function stackOf(error: unknown): string {
  return String((error instanceof Error && error.stack) || error);
}

/** Whether the system failed an operation on a file, a folder or a port. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return typeof error === 'object' && error !== null && 'syscall' in error && 'code' in error;
}
