/** Most levels of lists and objects in the variables of a request, the map of variables itself included. */
export const MOST_LEVELS = 32;
/** Most values in them, lists and objects included. */
export const MOST_VALUES = 10_000;

function itemsOf(container: object): readonly unknown[] {
  return Array.isArray(container) ? container : Object.values(container);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The reason why the variables of a request are too large to check; `null` if they are not. */
export function exceedsBounds(variables: Readonly<Record<string, unknown>>): string | null {
  let values = 0;
  let level: object[] = [variables];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MOST_LEVELS) {
      return `The variables are nested too deeply; at most ${MOST_LEVELS} levels are allowed.`;
    }
    const below: object[] = [];
    for (const container of level) {
      const items = itemsOf(container);
      values += items.length;
      if (values > MOST_VALUES) {
        return `The variables have too many values; at most ${MOST_VALUES} are allowed.`;
      }
      below.push(...items.filter(isContainer));
    }
    level = below;
  }
  return null;
}
