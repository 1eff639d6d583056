import {
  type GraphQLCompositeType,
  type GraphQLField,
  GraphQLNonNull,
  type GraphQLSchema,
  GraphQLString,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { writeArguments } from './inputs.ts';
import { chooseKey, createKeys, type Keys, keysBelow } from './keys.ts';
import type { Random } from './random.ts';
import type { GeneratedOperation, OperationOptions, Writing } from './writing.ts';

const MAX_DEPTH = 7;
const MOST_FIELDS = 30;
const TYPENAME = new GraphQLNonNull(GraphQLString);

/** Where a selection set is. */
interface Position {
  readonly type: GraphQLCompositeType;
  readonly lineage: readonly GraphQLCompositeType[];
  readonly keys: Keys;
  readonly depth: number;
}

function note({ features }: Writing, feature: string, isThere = true): void {
  if (isThere) {
    features.add(feature);
  }
}

function writeCondition(writing: Writing): string {
  const { random, variables, definitions } = writing;
  const known = Object.keys(variables).filter((name) => name.startsWith('if'));
  if (random.chance(25)) {
    return random.pick(['true', 'false']);
  }
  if (known.length > 0 && random.chance(40)) {
    return `$${random.pick(known)}`;
  }
  const name = `if${definitions.length}`;
  const isDefault = random.chance(15);
  definitions.push(`$${name}: Boolean${isDefault ? ' = true' : '!'}`);
  if (!isDefault || random.chance(50)) {
    variables[name] = random.chance(60);
  }
  return `$${name}`;
}

function writeDirectives(writing: Writing, feature: string): string {
  const { random, options } = writing;
  if (options.without.has(feature)) {
    return '';
  }
  const chosen = random.int(14);
  note(writing, feature, chosen < 3);
  note(writing, 'nestedCondition', chosen === 1);
  return [
    chosen < 2 ? ` @include(if: ${writeCondition(writing)})` : '',
    chosen > 0 && chosen < 3 ? ` @skip(if: ${writeCondition(writing)})` : '',
  ].join('');
}

function keyFor(
  writing: Writing,
  { keys, lineage }: Position,
  field: Pick<GraphQLField<unknown, unknown>, 'name' | 'type'>,
  args: string,
): string {
  const allowsExclusive = !writing.options.without.has('exclusiveKeys');
  const choice = { random: writing.random, keys, lineage, ...field, args, allowsExclusive };
  const { key, isExclusive } = chooseKey(choice);
  note(writing, 'exclusiveKeys', isExclusive);
  note(writing, 'alias', key !== field.name);
  return key;
}

function chooseField(
  writing: Writing,
  { type, depth, keys }: Position,
): GraphQLField<unknown, unknown> | undefined {
  const { random } = writing;
  const all = isUnionType(type) ? [] : Object.values(type.getFields());
  const isDeep = depth >= MAX_DEPTH || writing.budget <= 0;
  const fitting = isDeep ? all.filter((field) => !isCompositeType(getNamedType(field.type))) : all;
  if (fitting.length === 0 || (depth > 0 && random.chance(8))) {
    return undefined;
  }
  // Fields that another type has there already: what their keys mean may be something else.
  const again = fitting.filter((field) => keys.uses.has(field.name));
  return again.length > 0 && random.chance(40) ? random.pick(again) : random.pick(fitting);
}

function writeField(writing: Writing, position: Position): string {
  writing.budget -= 1;
  const field = chooseField(writing, position);
  if (field === undefined) {
    const name = '__typename';
    const key = keyFor(writing, position, { name, type: TYPENAME }, '');
    return `${key === name ? '' : `${key}: `}${name}${writeDirectives(writing, 'fieldCondition')}`;
  }
  return writeChosen(writing, position, field);
}

function writeChosen(writing: Writing, position: Position, field: GraphQLField<unknown, unknown>): string {
  const named = getNamedType(field.type);
  const args = writeArguments(writing, field);
  note(writing, 'argument', args !== '');
  note(
    writing,
    'argumentDefault',
    args === '' && field.args.some(({ defaultValue }) => defaultValue !== undefined),
  );
  note(writing, 'interface', isInterfaceType(position.type));
  note(writing, 'deepNesting', position.depth >= MAX_DEPTH - 1);
  const key = keyFor(writing, position, { name: field.name, type: field.type }, args);
  const head = `${key === field.name ? '' : `${key}: `}${field.name}${args}${writeDirectives(writing, 'fieldCondition')}`;
  if (!isCompositeType(named)) {
    return head;
  }
  const below = {
    type: named,
    lineage: [...position.lineage, named],
    keys: keysBelow(position.keys, key),
    depth: position.depth + 1,
  };
  return `${head} ${writeSelectionSet(writing, below)}`;
}

function possibleTypes({ schema }: Writing, type: GraphQLCompositeType): readonly GraphQLCompositeType[] {
  return isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
}

/** The types that a fragment here can be on; object types are likelier. */
function overlapping(writing: Writing, type: GraphQLCompositeType): GraphQLCompositeType {
  const { random, schema } = writing;
  const possible = possibleTypes(writing, type);
  if (random.chance(65)) {
    return random.pick(possible);
  }
  return random.pick(
    Object.values(schema.getTypeMap()).filter(
      (other): other is GraphQLCompositeType =>
        isCompositeType(other) &&
        !other.name.startsWith('__') &&
        possibleTypes(writing, other).some((one) => possible.includes(one)),
    ),
  );
}

function writeFragment(writing: Writing, position: Position): string {
  const { random, fragments } = writing;
  const directives = writeDirectives(writing, 'fragmentCondition');
  if (random.chance(10)) {
    return `...${directives} ${writeSelectionSet(writing, position)}`;
  }
  const known = fragments.filter(({ on }) => on === position.type);
  if (known.length > 0 && random.chance(30)) {
    return `...${random.pick(known).name}${directives}`;
  }
  const on = overlapping(writing, position.type);
  const inside = { ...position, type: on, lineage: [...position.lineage.slice(0, -1), on] };
  const selectionSet = writeSelectionSet(writing, { ...inside, depth: position.depth + 0.5 });
  if (random.chance(30) && !writing.options.without.has('namedFragment')) {
    const name = `F${fragments.length}`;
    note(writing, 'namedFragment');
    fragments.push({ name, on, text: `fragment ${name} on ${on.name} ${selectionSet}` });
    return `...${name}${directives}`;
  }
  return `... on ${on.name}${directives} ${selectionSet}`;
}

function fieldsOf(type: GraphQLCompositeType): readonly GraphQLField<unknown, unknown>[] {
  return isObjectType(type) ? Object.values(type.getFields()) : [];
}

/** Two fragments that select one field of two types: whatever is below may differ between them. */
function writeTwins(writing: Writing, position: Position): string {
  const { random } = writing;
  const [one, other] = random.shuffle(possibleTypes(writing, position.type));
  const common =
    one === undefined || other === undefined
      ? []
      : fieldsOf(one).filter((field) =>
          fieldsOf(other).some(
            ({ name, type }) => name === field.name && String(type) === String(field.type),
          ),
        );
  const composite = common.filter(({ type }) => isCompositeType(getNamedType(type)));
  if (one === undefined || other === undefined || common.length === 0) {
    return writeFragment(writing, position);
  }
  const { name } = random.pick(composite.length > 0 ? composite : common);
  note(writing, 'twins');
  return [one, other]
    .map((type) => {
      const inside = { ...position, type, lineage: [...position.lineage.slice(0, -1), type] };
      const field = fieldsOf(type).find((candidate) => candidate.name === name);
      const text = field === undefined ? '__typename' : writeChosen(writing, inside, field);
      return `... on ${type.name}${writeDirectives(writing, 'fragmentCondition')} { ${text} }`;
    })
    .join(' ');
}

function writeSelectionSet(writing: Writing, position: Position): string {
  const { random } = writing;
  const isAbstract = !isObjectType(position.type);
  note(writing, 'union', isUnionType(position.type));
  const most = position.depth === 0 ? 3 : 4;
  const selections = Array.from({ length: (isAbstract ? 2 : 1) + random.int(most) }, () => {
    const mayNest = position.depth < MAX_DEPTH && writing.budget > 0;
    if (isAbstract && mayNest && random.chance(30)) {
      return writeTwins(writing, position);
    }
    return mayNest && random.chance(isAbstract ? 60 : 15)
      ? writeFragment(writing, position)
      : writeField(writing, position);
  });
  return `{ ${selections.join(' ')} }`;
}

const KINDS = ['query', 'query', 'query', 'query', 'query', 'query', 'mutation', 'subscription'] as const;

function header({ definitions }: Writing, body: string): string {
  return definitions.length === 0 ? body : `Q(${definitions.join(', ')}) ${body}`;
}

/** Writes a random operation. It is invalid in rare cases: a fragment whose keys have another meaning where it is used again. */
export function writeOperation(
  schema: GraphQLSchema,
  random: Random,
  options: OperationOptions,
): GeneratedOperation {
  const roots = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  };
  const kind = random.pick(KINDS.filter((one) => roots[one]));
  const type = roots[kind];
  if (!type) {
    throw new Error('The schema has no root.');
  }
  const writing: Writing = {
    schema,
    random,
    options,
    features: new Set(),
    definitions: [],
    variables: {},
    fragments: [],
    budget: MOST_FIELDS,
  };
  const position = { type, lineage: [type], keys: createKeys(), depth: 0 };
  const body =
    kind === 'subscription'
      ? `{ ${writeRootField(writing, position, random.pick(Object.values(type.getFields())))} }`
      : writeSelectionSet(writing, position);
  const root = `${kind} ${header(writing, body)}`;
  return {
    query: [root, ...writing.fragments.map(({ text }) => text)].join('\n'),
    variables: writing.variables,
    features: writing.features,
  };
}

/** The one field of a subscription. */
function writeRootField(writing: Writing, position: Position, field: GraphQLField<unknown, unknown>): string {
  const args = writeArguments(writing, field);
  const named = getNamedType(field.type);
  const head = `${field.name}${args}`;
  const below = { type: named, lineage: [position.type, named], keys: createKeys(), depth: 1 };
  return isCompositeType(named)
    ? `${head} ${writeSelectionSet(writing, { ...below, type: named, lineage: [position.type, named] })}`
    : head;
}
