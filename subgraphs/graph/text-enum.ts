import { registerEnumType } from 'type-graphql';
import { keysOf } from '../kernel/objects.ts';

/**
 * A GraphQL enum over texts that the code has already, such as the statuses of a life cycle. Each text is in the graph by
 * its name in capitals: `ReadyForPickup` is `READY_FOR_PICKUP`, `link.opened` is `LINK_OPENED`. As the descriptions name
 * every text, the compiler finds one that is missing here, and resolvers pass texts on without a cast.
 * @param name in the graph
 * @param values each text, in the order of the schema, with its description
 * @returns the type for fields and arguments
 */
export function textEnum<Text extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Text, string>>,
): Readonly<Record<string, Text>> {
  const texts = keysOf(values);
  const byName = Object.fromEntries(texts.map((text) => [toName(text), text]));
  const valuesConfig = Object.fromEntries(texts.map((text) => [toName(text), { description: values[text] }]));
  registerEnumType(byName, { name, description, valuesConfig });
  return byName;
}

/** The name in the graph of a text of an enum: `ReadyForPickup` is `READY_FOR_PICKUP`. */
export function toName(text: string): string {
  return text
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toUpperCase();
}
