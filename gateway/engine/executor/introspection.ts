import {
  executeSync,
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLString,
  getArgumentValues,
  getIntrospectionQuery,
  getNamedType,
  isObjectType,
  parse,
  type SelectionSetNode,
  valueFromAST,
  visit,
} from 'graphql';
import type { ConditionValues } from '../conditions.ts';
import {
  collectFields,
  type FieldGroup,
  type OperationContext,
  type SelectionEntry,
  subEntries,
} from '../operation/collect-fields.ts';
import { NULL_ARGUMENT } from './errors.ts';
import { addErrors, type DataObject, isDataObject, type Path, type Step } from './state.ts';

/** The number of objects of an introspection that cost as much as one record: they need no fetch. */
const OBJECTS_PER_COST = 2;
/** Most objects of an introspection without limits: the whole of a schema of some thousand types. */
const MOST_OBJECTS = 200_000;
/** Most wrappers around the type of a field or argument. */
const TYPE_DEPTH = 40;

/** The introspection data of a schema, as plain data. */
interface Introspected {
  readonly schema: DataObject;
  /** Types by name. Other data refers to types by their names. */
  readonly types: ReadonlyMap<unknown, DataObject>;
}

const introspected = new WeakMap<GraphQLSchema, Introspected>();

/** Reads a schema once. */
function introspect(schema: GraphQLSchema): Introspected {
  const found = introspected.get(schema);
  if (found !== undefined) {
    return found;
  }
  const query = getIntrospectionQuery({
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    experimentalDirectiveDeprecation: true,
    oneOf: true,
    typeDepth: TYPE_DEPTH,
  });
  const { data } = executeSync({ schema, document: parse(query) });
  const root = data?.__schema;
  if (!isDataObject(root) || !Array.isArray(root.types)) {
    throw new Error('The schema cannot be introspected.');
  }
  const types = new Map(root.types.filter(isDataObject).map((type) => [type.name, type]));
  const made: Introspected = { schema: root, types };
  introspected.set(schema, made);
  return made;
}

/** The selection for the objects of one place, and the answers made for them so far. */
interface Place {
  readonly typename: string;
  readonly fields: readonly PlaceField[];
  readonly sizes: Map<DataObject, number>;
  readonly made: Map<DataObject, DataObject>;
}

interface PlaceField {
  readonly key: string;
  readonly name: string;
  /** Whether deprecated items of the list are left out. */
  readonly hidesDeprecated: boolean;
  /** `null` for leaves. */
  readonly below: Place | null;
}

/** A root field with its value. */
interface Root {
  readonly key: string;
  readonly source: string;
  readonly value: DataObject | null;
  readonly place: Place;
  /** Whether a variable has null for the name of its type. */
  readonly lacksName: boolean;
}

/** The name that `__type` asks for; undefined where a variable has null. Validation finds all other faults. */
function nameOfType({ arguments: given = [] }: FieldNode, values: ConditionValues): unknown {
  const value = given.find(({ name }) => name.value === 'name')?.value;
  return (value && valueFromAST(value, GraphQLString, values)) ?? undefined;
}

function hidesDeprecated(
  definition: GraphQLField<unknown, unknown>,
  { nodes: [first] }: FieldGroup,
  values: ConditionValues,
): boolean {
  const takes = definition.args.some(({ name }) => name === 'includeDeprecated');
  return (
    takes &&
    first !== undefined &&
    getArgumentValues(definition, first.node, values).includeDeprecated !== true
  );
}

function placeOf(
  context: OperationContext,
  typename: string,
  entries: readonly SelectionEntry[],
  values: ConditionValues,
): Place {
  const type = context.schema.getType(typename);
  if (!isObjectType(type)) {
    throw new Error(`The schema has no type ${typename}.`);
  }
  const fields = collectFields(context, type, entries, values).flatMap((group): PlaceField[] => {
    const { key, definition } = group;
    if (definition === null) {
      return [];
    }
    const named = getNamedType(definition.type);
    return [
      {
        key,
        name: definition.name,
        hidesDeprecated: hidesDeprecated(definition, group, values),
        below: isObjectType(named) ? placeOf(context, named.name, subEntries(group), values) : null,
      },
    ];
  });
  return { typename, fields, sizes: new Map(), made: new Map() };
}

/** The type or directive with this name. */
function whole({ types }: Introspected, { typename }: Place, value: DataObject): DataObject {
  return typename === '__Type' && value.name !== null ? (types.get(value.name) ?? value) : value;
}

function itemsOf({ name, hidesDeprecated: hides }: PlaceField, object: DataObject): unknown {
  const value = object[name];
  return hides && Array.isArray(value)
    ? value.filter((item) => !isDataObject(item) || item.isDeprecated !== true)
    : value;
}

/** The number of objects in the written answer. A repeated object is counted once and multiplied. */
function sizeOf(data: Introspected, place: Place, given: DataObject): number {
  const object = whole(data, place, given);
  const before = place.sizes.get(object);
  if (before !== undefined) {
    return before;
  }
  let size = 1;
  for (const field of place.fields) {
    const { below } = field;
    const value = below === null ? null : itemsOf(field, object);
    for (const item of Array.isArray(value) ? value : [value]) {
      size += below !== null && isDataObject(item) ? sizeOf(data, below, item) : 0;
    }
  }
  place.sizes.set(object, size);
  return size;
}

/** Sets a property, whatever its name is: assigning `__proto__` would set the prototype. */
function setOwn(object: DataObject, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The answer. Repeated parts are the same object. */
function make(data: Introspected, place: Place, given: DataObject): DataObject {
  const object = whole(data, place, given);
  const before = place.made.get(object);
  if (before !== undefined) {
    return before;
  }
  const made: DataObject = {};
  for (const field of place.fields) {
    const { key, name, below } = field;
    const value = name === '__typename' ? place.typename : (itemsOf(field, object) ?? null);
    setOwn(made, key, below === null ? value : makeValue(data, below, value));
  }
  place.made.set(object, made);
  return made;
}

function makeValue(data: Introspected, place: Place, value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => makeValue(data, place, item));
  }
  return isDataObject(value) ? make(data, place, value) : null;
}

function hasVariables({ fragments }: OperationContext, selectionSet: SelectionSetNode): boolean {
  let found = false;
  const note = () => {
    found = true;
  };
  for (const node of [selectionSet, ...fragments.values()]) {
    visit(node, { Variable: note });
  }
  return found;
}

/** The introspection of an operation. */
export interface Introspection {
  /** Answers `__schema` and `__type` of the root from the schema itself. */
  readonly run: Step;
  /** Their cost for the variables of a request. */
  costOf(values: ConditionValues): number;
}

/**
 * Compiles the root's `__schema` and `__type`. A few aliases can turn a schema into an answer of a million objects,
 * most of them equal. Each is made once, and the number of written objects is bounded by the cost and, in every
 * operation, by a fixed limit.
 */
export function compileIntrospection(
  context: OperationContext,
  rootType: GraphQLObjectType,
  selectionSet: SelectionSetNode,
): Introspection {
  const { schema } = context;
  const entries = [{ selectionSet, conditions: [] }];
  const isFixed = !hasVariables(context, selectionSet);
  /** The objects of every answer, where they are the same for all requests. */
  let known: number | undefined;

  function rootsOf(values: ConditionValues): Root[] {
    const data = introspect(schema);
    return collectFields(context, rootType, entries, values).flatMap((group): Root[] => {
      const [first] = group.nodes;
      if (first === undefined) {
        return [];
      }
      const { node } = first;
      const isSchema = node.name.value === '__schema';
      const place = placeOf(context, isSchema ? '__Schema' : '__Type', subEntries(group), values);
      const name = isSchema ? '' : nameOfType(node, values);
      const value = isSchema ? data.schema : (data.types.get(name) ?? null);
      return [{ key: group.key, source: group.source, value, place, lacksName: name === undefined }];
    });
  }

  function objectsOf(values: ConditionValues): number {
    if (known !== undefined) {
      return known;
    }
    let objects = 0;
    for (const { value, place } of rootsOf(values)) {
      objects += value === null ? 0 : sizeOf(introspect(schema), place, value);
    }
    known = isFixed ? objects : undefined;
    return objects;
  }

  return {
    run(state) {
      const isTooLarge = objectsOf(state.conditions) > MOST_OBJECTS;
      for (const { key, source, value, place, lacksName } of rootsOf(state.conditions)) {
        state.data[source] = value === null || isTooLarge ? null : make(introspect(schema), place, value);
        if (isTooLarge || lacksName) {
          addErrors(state, [[key]], (paths) => paths.map(isTooLarge ? tooLarge : withoutName));
        }
      }
      return undefined;
    },
    costOf: (values) => Math.ceil(objectsOf(values) / OBJECTS_PER_COST),
  };
}

function withoutName(path: Path): GraphQLError {
  return new GraphQLError(NULL_ARGUMENT.message, { path, extensions: { code: NULL_ARGUMENT.code } });
}

function tooLarge(path: Path): GraphQLError {
  return new GraphQLError(`The introspection has more than ${MOST_OBJECTS} objects: request less at once.`, {
    path,
    extensions: { code: 'OPERATION_TOO_LARGE' },
  });
}
