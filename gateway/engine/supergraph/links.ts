import { type ConstDirectiveNode, type DocumentNode, Kind } from 'graphql';
import { argumentOf, textOf } from './directives.ts';

/** One name that a `@link` imports, without its `@`. */
interface Import {
  readonly name: string;
  readonly as: string;
}

/** One `@link` of a document's schema. */
interface Link {
  /** Name of the specification, such as `join`. */
  readonly spec: string;
  /** Its namespace in this document: its own name, or another by `as`. */
  readonly namespace: string;
  readonly imports: readonly Import[];
}

/** The specifications that a document links, and their names in it. */
export interface LinkedSpecs {
  /** Prefixes of names that belong to a linked specification, such as `join__`. */
  readonly prefixes: readonly string[];
  /** Names that a `@link` brings in unprefixed: its directive, and all it imports. */
  readonly names: ReadonlySet<string>;
  /** The name that `@inaccessible` has in this document. */
  readonly inaccessible: ReadonlySet<string>;
  readonly authenticated: ReadonlySet<string>;
  readonly requiresScopes: ReadonlySet<string>;
}

function withoutAt(name: string): string {
  return name.replace(/^@/, '');
}

function readImports(link: ConstDirectiveNode): Import[] {
  const value = argumentOf(link, 'import');
  if (value?.kind !== Kind.LIST) {
    return [];
  }
  return value.values.flatMap((item) => {
    if (item.kind === Kind.STRING) {
      return [{ name: withoutAt(item.value), as: withoutAt(item.value) }];
    }
    const fields = item.kind === Kind.OBJECT ? item.fields : [];
    const text = (key: string): string | undefined => {
      const field = fields.find((one) => one.name.value === key)?.value;
      return field?.kind === Kind.STRING ? withoutAt(field.value) : undefined;
    };
    const name = text('name');
    return name === undefined ? [] : [{ name, as: text('as') ?? name }];
  });
}

function readLink(directive: ConstDirectiveNode): Link[] {
  const url = textOf(directive, 'url') ?? textOf(directive, 'feature');
  if (url === undefined) {
    return [];
  }
  const spec = url.split('/').at(-2) ?? url;
  return [{ spec, namespace: textOf(directive, 'as') ?? spec, imports: readImports(directive) }];
}

/** Names of a directive that has a specification of its own, and is part of the federation specification too. */
function directiveNames(links: readonly Link[], name: string): Set<string> {
  const own = links.filter(({ spec }) => spec === name || spec === 'federation');
  return new Set(
    own.flatMap(({ spec, namespace, imports }) => {
      const imported = imports.filter((one) => one.name === name).map((one) => one.as);
      return [...imported, spec === name ? namespace : `${namespace}__${name}`];
    }),
  );
}

/** Reads the `@link`s of a schema. Source: Apollo's specification `link` v1.0. */
export function readLinks(document: DocumentNode): LinkedSpecs {
  const links = document.definitions
    .flatMap((node) => (node.kind === Kind.SCHEMA_DEFINITION ? (node.directives ?? []) : []))
    .flatMap(readLink);
  return {
    prefixes: ['join', 'link', 'core', 'federation', ...links.map(({ namespace }) => namespace)].map(
      (namespace) => `${namespace}__`,
    ),
    names: new Set([
      'link',
      'core',
      ...links.flatMap(({ namespace, imports }) => [namespace, ...imports.map((one) => one.as)]),
    ]),
    // Hidden even where the document does not say what the directive is.
    inaccessible: new Set(['inaccessible', ...directiveNames(links, 'inaccessible')]),
    authenticated: directiveNames(links, 'authenticated'),
    requiresScopes: directiveNames(links, 'requiresScopes'),
  };
}
