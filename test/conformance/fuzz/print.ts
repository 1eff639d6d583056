import type { ArgumentModel, FieldModel, Model, PlacedType, Placement, Selection } from './model.ts';
import { namedType } from './model.ts';

/** Enums, inputs and scalars that every subgraph has. */
const COMMON = `
enum Unit { CM INCH MILE }
input Span { from: Int! = 1 to: Int unit: Unit = CM deep: Span tags: [String!] }
scalar JSON
`;

/** A value as a GraphQL literal; texts in capitals are enum values. */
function literal(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(literal).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([name, inner]) => `${name}: ${literal(inner)}`)
      .join(', ')} }`;
  }
  return typeof value === 'string' && /^[A-Z]+$/.test(value) ? value : JSON.stringify(value);
}

export function printFieldSet(selections: readonly Selection[]): string {
  return selections
    .map((selection) => {
      const below = selection.selections === undefined ? '' : ` { ${printFieldSet(selection.selections)} }`;
      if ('on' in selection) {
        return `... on ${selection.on}${below}`;
      }
      const args = Object.entries(selection.args ?? {}).map(([name, value]) => `${name}: ${literal(value)}`);
      return `${selection.name}${args.length === 0 ? '' : `(${args.join(', ')})`}${below}`;
    })
    .join(' ');
}

interface PrintOptions {
  /** Whether `__typename` stays in `@provides`; `@apollo/subgraph` and some composers do not take it. */
  readonly hasTypenames: boolean;
}

/** A field set without `__typename`. */
export function withoutTypenames(selections: readonly Selection[]): Selection[] {
  return selections
    .filter((selection) => 'on' in selection || selection.name !== '__typename')
    .map((selection) =>
      selection.selections === undefined
        ? selection
        : { ...selection, selections: withoutTypenames(selection.selections) },
    );
}

function printArgument({ name, type, default: value }: ArgumentModel): string {
  return `${name}: ${type}${value === undefined ? '' : ` = ${literal(value)}`}`;
}

function printField(
  field: FieldModel,
  placement: Placement,
  subgraph: string,
  { hasTypenames }: PrintOptions,
): string {
  const args = field.args.length === 0 ? '' : `(${field.args.map(printArgument).join(', ')})`;
  const { override, provides } = placement;
  const isRequiring = field.requires?.subgraph === subgraph;
  const label = override?.label === undefined ? '' : `, label: "${override.label}"`;
  return [
    `  ${field.name}${args}: ${field.type}`,
    placement.isExternal === true ? '@external' : '',
    placement.isShareable === true ? '@shareable' : '',
    isRequiring
      ? `@requires(fields: ${JSON.stringify(printFieldSet(field.requires?.selections ?? []))})`
      : '',
    provides === undefined
      ? ''
      : `@provides(fields: ${JSON.stringify(printFieldSet(hasTypenames ? provides : withoutTypenames(provides)))})`,
    override === undefined ? '' : `@override(from: "${override.from}"${label})`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** The fields of an interface are those of any type that implements it. */
function fieldOf(model: Model, placed: PlacedType, name: string, subgraph: string): FieldModel {
  const own = model.types[placed.name]?.fields[name];
  if (own !== undefined) {
    return own;
  }
  const implementing = Object.values(model.subgraphs[subgraph] ?? {}).find((type) =>
    type.implements.includes(placed.name),
  );
  const names = [implementing?.name, ...(model.types[placed.name]?.implementors ?? [])];
  const found = names
    .map((type) => model.types[type ?? '']?.fields[name])
    .find((field) => field !== undefined);
  if (found === undefined) {
    throw new Error(`The model has no field ${placed.name}.${name}.`);
  }
  return found;
}

function printType(model: Model, subgraph: string, placed: PlacedType, options: PrintOptions): string {
  if (placed.kind === 'union') {
    return `union ${placed.name} = ${placed.members.join(' | ')}`;
  }
  const parents = placed.implements.length === 0 ? '' : ` implements ${placed.implements.join(' & ')}`;
  const resolvable = placed.isResolvable ? '' : ', resolvable: false';
  const keys = placed.keys.map((key) => ` @key(fields: "${key}"${resolvable})`).join('');
  const fields = Object.entries(placed.fields).map(([name, placement]) =>
    printField(fieldOf(model, placed, name, subgraph), placement, subgraph, options),
  );
  const interfaceObject = placed.isInterfaceObject === true ? ' @interfaceObject' : '';
  return `${placed.kind} ${placed.name}${parents}${keys}${interfaceObject} {\n${fields.join('\n')}\n}`;
}

/** Interface objects first: `@theguild/federation-composition` takes one that it meets in a field set before for an object. */
const inOrder = (types: Readonly<Record<string, PlacedType>>): PlacedType[] =>
  Object.values(types).sort(
    (one, other) => Number(other.isInterfaceObject ?? false) - Number(one.isInterfaceObject ?? false),
  );

/** The SDL of each subgraph, without its `@link` header. */
export function printSubgraphs(
  model: Model,
  options: PrintOptions = { hasTypenames: true },
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(model.subgraphs).map(([subgraph, types]) => [
      subgraph,
      COMMON +
        inOrder(types)
          .map((placed) => printType(model, subgraph, placed, options))
          .join('\n'),
    ]),
  );
}

/** All composite names below a field's type, for code that must know whether it has a selection set. */
export const isLeaf = (type: string): boolean => LEAVES.has(namedType(type));

const LEAVES: ReadonlySet<string> = new Set(['ID', 'Int', 'Float', 'String', 'Boolean', 'Unit', 'JSON']);
