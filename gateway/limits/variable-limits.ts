/** Most levels of lists and objects in the variables of a request, the map of variables itself included. */
const MOST_LEVELS = 32;
/** Most values in them, lists and objects included. */
const MOST_VALUES = 10_000;

/** Why the variables of a request are too much to look at; `null` when they are not. */
export function exceedsBounds(variables: Readonly<Record<string, unknown>>): string | null {
  let values = 0;
  let level: object[] = [variables];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MOST_LEVELS) {
      return `The variables are nested too deeply; at most ${MOST_LEVELS} levels are allowed.`;
    }
    const below: object[] = [];
    for (const container of level) {
      const items: readonly unknown[] = Array.isArray(container) ? container : Object.values(container);
      values += items.length;
      if (values > MOST_VALUES) {
        return `The variables have too many values; at most ${MOST_VALUES} are allowed.`;
      }
      for (const item of items) {
        if (typeof item === 'object' && item !== null) {
          below.push(item);
        }
      }
    }
    level = below;
  }
  return null;
}
