/** A fault that the operator can mend. Its message says what is wrong and what to do; a stack would only hide it. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}

/** What a process says on its way out: the message of what can be mended, the stack of what is a bug. */
export function describeFatal(error: unknown): string {
  return error instanceof OperatorError ? error.message : String((error as Error).stack ?? error);
}
