import {
  type GraphQLField,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { Writing } from './writing.ts';

function declare(writing: Writing, type: string, value: unknown, defaultText: string | null): string {
  const name = `$v${writing.definitions.length}`;
  writing.features.add(defaultText === null ? 'variable' : 'variableDefault');
  writing.definitions.push(`${name}: ${type}${defaultText === null ? '' : ` = ${defaultText}`}`);
  if (value !== undefined) {
    writing.variables[name.slice(1)] = value;
  }
  return name;
}

/** A value that a type accepts, as JSON. */
function json(writing: Writing, type: GraphQLInputType, depth: number): unknown {
  const { random } = writing;
  if (isNonNullType(type)) {
    return json(writing, type.ofType, depth);
  }
  if (isListType(type)) {
    // A value alone counts as a list of one.
    return random.chance(20)
      ? json(writing, type.ofType, depth)
      : Array.from({ length: random.int(3) }, () => json(writing, type.ofType, depth));
  }
  if (isEnumType(type)) {
    return random.pick(type.getValues()).name;
  }
  if (isInputObjectType(type)) {
    writing.features.add('inputObject');
    const fields = Object.values(type.getFields()).filter(
      (field) =>
        (isNonNullType(field.type) && field.defaultValue === undefined) || (depth < 2 && random.chance(30)),
    );
    return Object.fromEntries(
      fields.map((field) => {
        const isNull = !isNonNullType(field.type) && random.chance(12);
        return [field.name, isNull ? null : json(writing, field.type, depth + 1)];
      }),
    );
  }
  const number = random.int(9);
  switch (type.name) {
    case 'Boolean':
      return number % 2 === 1;
    case 'Int':
      return number;
    case 'ID':
      return number % 2 === 1 ? number : `p${number}`;
    case 'JSON':
      return random.pick<unknown>([number, { b: [null, 'x'], a: 1 }, [[]], 'text']);
    default:
      return `text ${number} "\\`;
  }
}

function literal(type: GraphQLInputType, value: unknown): string {
  const named = isNonNullType(type) ? type.ofType : type;
  if (value === null || value === undefined) {
    return 'null';
  }
  if (isListType(named)) {
    return Array.isArray(value)
      ? `[${value.map((item) => literal(named.ofType, item)).join(', ')}]`
      : literal(named.ofType, value);
  }
  if (isInputObjectType(named)) {
    const fields = named.getFields();
    return `{ ${Object.entries(value)
      .map(([name, inner]) => `${name}: ${literal(fields[name]?.type ?? named, inner)}`)
      .join(', ')} }`;
  }
  return isEnumType(named) ? String(value) : anyLiteral(value);
}

function anyLiteral(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(anyLiteral).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([name, inner]) => `${name}: ${anyLiteral(inner)}`)
      .join(', ')} }`;
  }
  return JSON.stringify(value);
}

function writeVariable(writing: Writing, type: GraphQLInputType): string {
  const { random } = writing;
  const nullable = isNonNullType(type) ? type.ofType : type;
  const given = (): unknown => json(writing, type, 0);
  switch (random.int(5)) {
    case 0:
      // A default that the request may leave as it is.
      return declare(
        writing,
        String(nullable),
        random.chance(50) ? given() : undefined,
        literal(type, given()),
      );
    case 1:
      return declare(
        writing,
        `${String(nullable)}!`,
        given(),
        random.chance(50) ? literal(type, given()) : null,
      );
    case 2:
      return isNonNullType(type)
        ? declare(writing, String(type), given(), null)
        : declare(writing, String(type), random.chance(50) ? null : undefined, null);
    default:
      return declare(writing, `${String(nullable)}!`, given(), null);
  }
}

function writeInput(writing: Writing, type: GraphQLInputType): string {
  const { random } = writing;
  if (random.chance(35)) {
    return writeVariable(writing, type);
  }
  const inner = isNonNullType(type) ? type.ofType : type;
  if (isInputObjectType(inner) && random.chance(50)) {
    const fields = Object.values(inner.getFields()).filter(
      (field) => (isNonNullType(field.type) && field.defaultValue === undefined) || random.chance(25),
    );
    return `{ ${fields.map((field) => `${field.name}: ${writeInput(writing, field.type)}`).join(', ')} }`;
  }
  return literal(type, json(writing, type, 1));
}

/** The arguments of a field, in parentheses; those that must be given, and others half of the time. */
export function writeArguments(writing: Writing, field: GraphQLField<unknown, unknown>): string {
  const given = field.args.filter(
    (argument) =>
      (isNonNullType(argument.type) && argument.defaultValue === undefined) || writing.random.chance(50),
  );
  return given.length === 0
    ? ''
    : `(${given.map((argument) => `${argument.name}: ${writeInput(writing, argument.type)}`).join(', ')})`;
}
