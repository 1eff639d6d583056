/** The name of an error for spans. They omit its message, which may repeat a client's input. */
export function errorNameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'Error';
}
