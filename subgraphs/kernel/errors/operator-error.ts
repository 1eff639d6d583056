import { printableLines } from '../log/printable.ts';
import { redactUrls } from '../log/redact.ts';

/** An error that the operator can fix. Its message says what is wrong and what to do; a stack would only hide that. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}

/**
 * The last message of a process: the message of an error that can be fixed, the stack of a bug. Neither has secrets of URLs
 * or characters that a terminal would act on.
 */
export function describeFatal(error: unknown): string {
  return printableLines(redactUrls(error instanceof OperatorError ? error.message : stackOf(error)));
}

function stackOf(error: unknown): string {
  return String((error instanceof Error && error.stack) || error);
}

/** Whether the system failed an operation on a file, a folder or a port. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return typeof error === 'object' && error !== null && 'syscall' in error && 'code' in error;
}
