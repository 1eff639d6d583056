/**
 * The result of work at one of many records; undefined when it throws, so that the others can go on.
 * @param report gets what it throws
 */
export function unlessThrown<T>(work: () => T, report: (error: unknown) => void): T | undefined {
  try {
    return work();
  } catch (error) {
    report(error);
    return undefined;
  }
}
