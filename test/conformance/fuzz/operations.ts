import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isUnionType,
} from 'graphql';

/** An operation with values for its variables. */
export interface GeneratedOperation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

interface Writing {
  readonly schema: GraphQLSchema;
  /** A number from 0 to `options - 1`; 0, the simplest choice, when all numbers are used up. */
  choose(options: number): number;
  readonly definitions: string[];
  readonly variables: Record<string, unknown>;
  readonly fragments: { readonly name: string; readonly on: GraphQLCompositeType; readonly text: string }[];
  /** What a response key stands for; the same everywhere, so that selections can always be merged. */
  readonly keys: Map<string, string>;
}

/** Aliases that mean trouble: names of fields and keys, of machinery, of what every JavaScript object has. */
const ALIASES = [
  'a',
  'b',
  'id',
  'title',
  'name',
  'code',
  'size',
  'price',
  '_e0',
  '_rk0',
  'constructor',
  '__proto__',
];
const MAX_DEPTH = 5;

function pick<T>(writing: Writing, list: readonly T[]): T {
  return list[writing.choose(list.length)] as T;
}

function declare(writing: Writing, type: string, value: unknown, defaultText: string | null): string {
  const name = `$v${writing.definitions.length}`;
  writing.definitions.push(`${name}: ${type}${defaultText === null ? '' : ` = ${defaultText}`}`);
  if (value !== undefined) {
    writing.variables[name.slice(1)] = value;
  }
  return name;
}

function json(writing: Writing, type: GraphQLInputType, depth: number): unknown {
  if (isNonNullType(type)) {
    return json(writing, type.ofType, depth);
  }
  if (isListType(type)) {
    // A value alone counts as a list of one.
    return writing.choose(5) === 4
      ? json(writing, type.ofType, depth)
      : Array.from({ length: writing.choose(3) }, () => json(writing, type.ofType, depth));
  }
  if (isEnumType(type)) {
    return pick(writing, type.getValues()).name;
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(
      (field) => isNonNullType(field.type) || (depth < 2 && writing.choose(3) === 1),
    );
    return Object.fromEntries(
      fields.map((field) => {
        const isNull = !isNonNullType(field.type) && writing.choose(8) === 7;
        return [field.name, isNull ? null : json(writing, field.type, depth + 1)];
      }),
    );
  }
  const number = writing.choose(9);
  switch (type.name) {
    case 'Boolean':
      return number % 2 === 1;
    case 'Int':
      return number;
    case 'ID':
      return number % 2 === 1 ? number : `p${number}`;
    case 'JSON':
      return pick<unknown>(writing, [number, { b: [null, 'x'], a: 1 }, [[]], 'text']);
    default:
      return `text ${number} "\\`;
  }
}

function literal(type: GraphQLInputType, value: unknown): string {
  const named = isNonNullType(type) ? type.ofType : type;
  if (value === null || value === undefined) {
    return 'null';
  }
  if (isListType(named) && Array.isArray(value)) {
    return `[${value.map((item) => literal(named.ofType, item)).join(', ')}]`;
  }
  if (isListType(named)) {
    return literal(named.ofType, value);
  }
  if (isEnumType(named)) {
    return String(value);
  }
  if (isInputObjectType(named)) {
    const fields = named.getFields();
    const entries = Object.entries(value as Record<string, unknown>).map(
      ([name, inner]) => `${name}: ${literal(fields[name]?.type as GraphQLInputType, inner)}`,
    );
    return `{ ${entries.join(', ')} }`;
  }
  return JSON.stringify(value).replace(/"(\w+)":/g, '$1: ');
}

function writeVariable(writing: Writing, type: GraphQLInputType): string {
  const nullable = isNonNullType(type) ? type.ofType : type;
  const given = (): unknown => json(writing, nullable, 1);
  switch (writing.choose(4)) {
    case 1:
      return declare(
        writing,
        String(nullable),
        writing.choose(2) === 1 ? given() : undefined,
        literal(nullable, given()),
      );
    case 2:
      return isNonNullType(type)
        ? declare(writing, String(type), given(), null)
        : declare(writing, String(type), writing.choose(2) === 1 ? null : undefined, null);
    default:
      return declare(writing, `${String(nullable)}!`, given(), null);
  }
}

function writeInput(writing: Writing, type: GraphQLInputType): string {
  if (writing.choose(3) === 2) {
    return writeVariable(writing, type);
  }
  const inner = isNonNullType(type) ? type.ofType : type;
  if (isInputObjectType(inner) && writing.choose(2) === 1) {
    const fields = Object.values(inner.getFields()).filter(
      (field) => isNonNullType(field.type) || writing.choose(4) === 1,
    );
    return `{ ${fields.map((field) => `${field.name}: ${writeInput(writing, field.type)}`).join(', ')} }`;
  }
  return literal(type, json(writing, type, 1));
}

function writeArguments(writing: Writing, field: GraphQLField<unknown, unknown>): string {
  const given = field.args.filter((argument) => isNonNullType(argument.type) || writing.choose(2) === 1);
  return given.length === 0
    ? ''
    : `(${given.map((argument) => `${argument.name}: ${writeInput(writing, argument.type)}`).join(', ')})`;
}

function writeCondition(writing: Writing): string {
  const known = Object.keys(writing.variables).filter((name) => name.startsWith('if'));
  switch (writing.choose(4)) {
    case 0:
      return pick(writing, ['true', 'false']);
    case 1:
      if (known.length > 0) {
        return `$${pick(writing, known)}`;
      }
  }
  const name = `if${writing.definitions.length}`;
  writing.definitions.push(`$${name}: Boolean!`);
  writing.variables[name] = writing.choose(2) === 1;
  return `$${name}`;
}

function writeDirectives(writing: Writing): string {
  const chosen = writing.choose(12);
  return [
    chosen === 10 || chosen === 9 ? ` @include(if: ${writeCondition(writing)})` : '',
    chosen === 11 || chosen === 9 ? ` @skip(if: ${writeCondition(writing)})` : '',
  ].join('');
}

/** Chooses a key that stands for nothing else: the field's own name, an alias of those above, or a new one. */
function writeKey(writing: Writing, name: string, args: string): string {
  const meaning = `${name}${args}`;
  const wanted = writing.choose(4) === 3 ? pick(writing, ALIASES) : name;
  const key =
    [wanted, name].find((one) => (writing.keys.get(one) ?? meaning) === meaning) ?? `x${writing.keys.size}`;
  writing.keys.set(key, meaning);
  return key === name ? name : `${key}: ${name}`;
}

function writeField(writing: Writing, type: GraphQLCompositeType, depth: number): string {
  const fields = isUnionType(type) ? [] : Object.values(type.getFields());
  const fitting =
    depth < MAX_DEPTH ? fields : fields.filter((field) => !isCompositeType(getNamedType(field.type)));
  const field = fitting.length === 0 || writing.choose(10) === 9 ? undefined : pick(writing, fitting);
  if (field === undefined) {
    return `${writeKey(writing, '__typename', '')}${writeDirectives(writing)}`;
  }
  const named = getNamedType(field.type);
  const args = writeArguments(writing, field);
  const head = `${writeKey(writing, field.name, args)}${args}${writeDirectives(writing)}`;
  return isCompositeType(named) ? `${head} ${writeSelectionSet(writing, named, depth + 1)}` : head;
}

function overlaps({ schema }: Writing, one: GraphQLCompositeType, other: GraphQLCompositeType): boolean {
  const possible = (type: GraphQLCompositeType) =>
    isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
  return possible(one).some((type) => possible(other).includes(type));
}

function overlapping(writing: Writing, type: GraphQLCompositeType): GraphQLCompositeType[] {
  return Object.values(writing.schema.getTypeMap()).filter(
    (other): other is GraphQLCompositeType =>
      isCompositeType(other) && !other.name.startsWith('__') && overlaps(writing, type, other),
  );
}

function writeFragment(writing: Writing, type: GraphQLCompositeType, depth: number): string {
  switch (writing.choose(4)) {
    case 0:
      return `...${writeDirectives(writing)} ${writeSelectionSet(writing, type, depth)}`;
    case 1: {
      const known = writing.fragments.filter(({ on }) => overlaps(writing, type, on));
      if (known.length > 0) {
        return `...${pick(writing, known).name}${writeDirectives(writing)}`;
      }
    }
  }
  const on = pick(writing, overlapping(writing, type));
  const selectionSet = writeSelectionSet(writing, on, depth);
  if (writing.choose(2) === 1) {
    const name = `F${writing.fragments.length}`;
    writing.fragments.push({ name, on, text: `fragment ${name} on ${on.name} ${selectionSet}` });
    return `...${name}${writeDirectives(writing)}`;
  }
  return `... on ${on.name}${writeDirectives(writing)} ${selectionSet}`;
}

function writeSelectionSet(writing: Writing, type: GraphQLCompositeType, depth: number): string {
  const selections = Array.from({ length: 1 + writing.choose(4) }, () =>
    depth < MAX_DEPTH && writing.choose(4) === 3
      ? writeFragment(writing, type, depth + 1)
      : writeField(writing, type, depth),
  );
  return `{ ${selections.join(' ')} }`;
}

function writeRoot(writing: Writing): string {
  const { schema } = writing;
  const kind = pick(writing, [
    'query',
    'query',
    'query',
    'query',
    'query',
    'mutation',
    'subscription',
  ] as const);
  const type =
    kind === 'query'
      ? schema.getQueryType()
      : kind === 'mutation'
        ? schema.getMutationType()
        : schema.getSubscriptionType();
  if (type === null || type === undefined) {
    throw new Error(`The schema has no ${kind}.`);
  }
  if (kind === 'subscription') {
    const field = pick(writing, Object.values(type.getFields()));
    const args = writeArguments(writing, field);
    const text = `${writeKey(writing, field.name, args)}${args}`;
    return `${kind} ${header(writing, `{ ${text} ${writeSelectionSet(writing, getNamedType(field.type) as GraphQLCompositeType, 1)} }`)}`;
  }
  const meta =
    kind === 'query' && writing.choose(12) === 11
      ? ' t: __type(name: "Work") { name kind possibleTypes { name } }'
      : '';
  const body = writeSelectionSet(writing, type, 0);
  return `${kind} ${header(writing, meta === '' ? body : `${body.slice(0, -1)}${meta} }`)}`;
}

function header({ definitions }: Writing, body: string): string {
  return definitions.length === 0 ? body : `Q(${definitions.join(', ')}) ${body}`;
}

/**
 * Writes an operation as the numbers tell, each choosing among what is possible at that point. Fewer and smaller
 * numbers make simpler operations, so that what fails can be made small. It may be invalid in rare cases (fields of
 * different shapes under one key).
 */
export function writeOperation(schema: GraphQLSchema, numbers: readonly number[]): GeneratedOperation {
  let position = 0;
  const writing: Writing = {
    schema,
    choose: (options) => (numbers[position++] ?? 0) % options,
    definitions: [],
    variables: {},
    fragments: [],
    keys: new Map(),
  };
  const root = writeRoot(writing);
  return {
    query: [root, ...writing.fragments.map(({ text }) => text)].join('\n'),
    variables: writing.variables,
  };
}
