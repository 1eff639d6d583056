import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
  print,
} from 'graphql';
import type { GraphQLPart } from './graphql-parts.ts';
import { escapeHtml } from './html.ts';
import { type Heading, renderInline } from './markdown.ts';
import type { PageContent } from './page.ts';
import { addressOf } from './site.ts';

/** The page of the reference that has a part. */
const pageOf = (part: GraphQLPart) => (part === 'overview' ? 'graphql' : `graphql/${part}`);

interface Place {
  readonly schema: GraphQLSchema;
  readonly page: string;
}

/** A page of the schema's reference, with each type linked to its own description. @param schema that of clients */
export function graphqlPage(
  { name, label }: { readonly name: string; readonly label: string },
  part: GraphQLPart,
  schema: GraphQLSchema,
): PageContent {
  const entries = entriesOf(part, { schema, page: name });
  const headings = entries.map(
    ({ id }): Heading => ({ id, html: `<code>${escapeHtml(id)}</code>`, depth: 2 }),
  );
  const text = entries.map(({ id, html }) => `${heading(id)}\n${html}`).join('\n');
  const html = `<h1 id="top">${escapeHtml(label)}</h1>\n${part === 'overview' ? overview({ schema, page: name }) : ''}${text}`;
  return { name, title: label, html, headings };
}

const heading = (id: string) =>
  `<h2 id="${id}"><code>${id}</code> <a class="anchor" href="#${id}" aria-label="Link to ${id}">#</a></h2>`;

interface Entry {
  readonly id: string;
  readonly html: string;
}

function entriesOf(part: GraphQLPart, place: Place): Entry[] {
  const { schema } = place;
  switch (part) {
    case 'overview':
      return [];
    case 'queries':
    case 'mutations':
    case 'subscriptions':
      return fieldsOf(part, schema).map((field) => ({
        id: field.name,
        html: `${paragraph(field)}<p>Gives <code>${typeHtml(field.type, place)}</code></p>\n${argumentsHtml(field.args, place)}`,
      }));
    default:
      return typesOf(part, schema).map((type) => ({
        id: type.name,
        html: `${paragraph(type)}${membersHtml(type, place)}`,
      }));
  }
}

/** The pages of the roots of the graph. */
const ROOT_PARTS = ['queries', 'mutations', 'subscriptions'] as const;
type RootPart = (typeof ROOT_PARTS)[number];

function rootOf(part: RootPart, schema: GraphQLSchema) {
  const roots = {
    queries: schema.getQueryType(),
    mutations: schema.getMutationType(),
    subscriptions: schema.getSubscriptionType(),
  };
  return roots[part] ?? undefined;
}

function fieldsOf(part: RootPart, schema: GraphQLSchema): GraphQLField<unknown, unknown>[] {
  return Object.values(rootOf(part, schema)?.getFields() ?? {});
}

/** The types of a part of the reference: a root of the graph, or the others of a kind by name. */
export function typesOf(part: Exclude<GraphQLPart, 'overview'>, schema: GraphQLSchema): GraphQLNamedType[] {
  switch (part) {
    case 'queries':
    case 'mutations':
    case 'subscriptions': {
      const root = rootOf(part, schema);
      return root ? [root] : [];
    }
    default:
      return Object.values(schema.getTypeMap())
        .filter((type) => partOf(type, schema) === part)
        .sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

/** The page that has a type; undefined for types that GraphQL itself has, and for the roots. */
function partOf(type: GraphQLNamedType, schema: GraphQLSchema): GraphQLPart | undefined {
  if (type.name.startsWith('__') || isSpecifiedScalarType(type)) {
    return undefined;
  }
  if (ROOT_PARTS.some((part) => rootOf(part, schema) === type)) {
    return undefined;
  }
  if (isInputObjectType(type)) {
    return 'inputs';
  }
  return isEnumType(type) || isScalarType(type) ? 'values' : 'types';
}

function overview({ schema, page }: Place): string {
  const list = (part: 'queries' | 'mutations' | 'subscriptions', fields: Readonly<Record<string, object>>) =>
    `<h2 id="${part}">${part.replace(/^./, (first) => first.toUpperCase())}</h2>\n<ul class="names">\n${Object.keys(
      fields,
    )
      .map((name) => `<li><a href="${addressOf(pageOf(part), page)}#${name}"><code>${name}</code></a></li>`)
      .join('\n')}\n</ul>\n`;
  return `<p>What clients see of the graph, made from the schema of this version. A mutation gives what it made, or
<code>userErrors</code>. For tools that generate code, <a href="${addressOf('schema.graphql', page)}">the schema is one file</a>.</p>
${list('queries', schema.getQueryType()?.getFields() ?? {})}${list('mutations', schema.getMutationType()?.getFields() ?? {})}${list('subscriptions', schema.getSubscriptionType()?.getFields() ?? {})}`;
}

function membersHtml(type: GraphQLNamedType, place: Place): string {
  if (isEnumType(type)) {
    return enumHtml(type);
  }
  if (isInputObjectType(type)) {
    return inputHtml(type, place);
  }
  if (isUnionType(type)) {
    return `<p>One of ${type
      .getTypes()
      .map((one) => `<code>${typeHtml(one, place)}</code>`)
      .join(', ')}</p>\n`;
  }
  if (isObjectType(type) || isInterfaceType(type)) {
    const fields = Object.values(type.getFields()).map((field) => fieldHtml(type.name, field, place));
    return `<dl>\n${fields.join('\n')}\n</dl>\n`;
  }
  return isScalarType(type) && type.specifiedByURL
    ? `<p>Specified by <code>${escapeHtml(type.specifiedByURL)}</code></p>\n`
    : '';
}

function fieldHtml(owner: string, field: GraphQLField<unknown, unknown>, place: Place): string {
  const { name, args, type } = field;
  const details = args.length === 0 ? '' : `\n${argumentsHtml(args, place)}`;
  return `<dt id="${owner}.${name}"><code>${name}: ${typeHtml(type, place)}</code></dt>\n<dd>${described(field)}${details}</dd>`;
}

function argumentsHtml(args: readonly GraphQLArgument[], place: Place): string {
  return args.length === 0
    ? ''
    : `<dl class="arguments">\n${args.map((one) => inputValueHtml(one, place)).join('\n')}\n</dl>\n`;
}

function inputHtml(type: GraphQLInputObjectType, place: Place): string {
  return `<dl>\n${Object.values(type.getFields())
    .map((field) => inputValueHtml(field, place))
    .join('\n')}\n</dl>\n`;
}

function inputValueHtml(value: GraphQLArgument | GraphQLInputField, place: Place): string {
  const literal = value.defaultValue === undefined ? undefined : astFromValue(value.defaultValue, value.type);
  const fallback = literal ? ` = ${escapeHtml(print(literal))}` : '';
  return `<dt><code>${value.name}: ${typeHtml(value.type, place)}${fallback}</code></dt>\n<dd>${described(value)}</dd>`;
}

function enumHtml(type: GraphQLEnumType): string {
  const values = type
    .getValues()
    .map((value) => `<dt><code>${value.name}</code></dt>\n<dd>${described(value)}</dd>`);
  return `<dl>\n${values.join('\n')}\n</dl>\n`;
}

/** A type as the schema writes it, its name linked. */
function typeHtml(type: GraphQLType, place: Place): string {
  if (isNonNullType(type)) {
    return `${typeHtml(type.ofType, place)}!`;
  }
  if (isListType(type)) {
    return `[${typeHtml(type.ofType, place)}]`;
  }
  const part = partOf(type, place.schema);
  return part === undefined
    ? type.name
    : `<a href="${addressOf(pageOf(part), place.page)}#${type.name}">${type.name}</a>`;
}

interface Described {
  readonly description?: string | null | undefined;
  readonly deprecationReason?: string | null | undefined;
}

function described({ description, deprecationReason }: Described): string {
  const deprecated = deprecationReason
    ? `<strong>Deprecated:</strong> ${renderInline(deprecationReason)} `
    : '';
  return deprecated + renderInline(description ?? '');
}

const paragraph = (one: Described) => `<p>${described(one)}</p>\n`;
