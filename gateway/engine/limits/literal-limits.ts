import { BREAK, type DocumentNode, visit } from 'graphql';
import { MOST_LEVELS, MOST_VALUES } from './variable-limits.ts';

/** As a variable: the map of variables is a level, too. */
const MOST_LITERAL_LEVELS = MOST_LEVELS - 1;

/**
 * The reason why the literal values of a document (arguments of fields and directives, defaults of variables) are too
 * large to check; `null` if they are not. The bounds are those of variables. The check does not recurse, so depth
 * needs no stack.
 */
export function exceedsLiteralBounds(document: DocumentNode): string | null {
  let levels = 0;
  let values = 0;
  let exceeded: string | null = null;
  const container = {
    enter({
      values: items,
      fields,
    }: {
      readonly values?: readonly unknown[];
      readonly fields?: readonly unknown[];
    }) {
      levels += 1;
      values += (items ?? fields ?? []).length;
      if (levels > MOST_LITERAL_LEVELS) {
        exceeded = `A value is nested too deeply; at most ${MOST_LITERAL_LEVELS} levels are allowed.`;
      } else if (values > MOST_VALUES) {
        exceeded = `The document has too many values; at most ${MOST_VALUES} are allowed.`;
      }
      return exceeded === null ? undefined : BREAK;
    },
    leave() {
      levels -= 1;
    },
  };
  visit(document, { ListValue: container, ObjectValue: container });
  return exceeded;
}
