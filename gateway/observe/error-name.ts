/** What spans tell of an error. Its message may repeat what a client has sent. */
export function errorNameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'Error';
}
