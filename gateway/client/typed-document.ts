import { type DocumentNode, print } from 'graphql';

/**
 * The types that code generators attach to a document; there is no such property at run time.
 * Source: `DocumentTypeDecoration` of @graphql-typed-document-node/core.
 */
interface TypesOfDocument<Data, Variables> {
  readonly __apiType?: (variables: Variables) => Data;
}

/** A document as text: a string, or a String object such as graphql-codegen's `TypedDocumentString`. */
interface DocumentText<Data, Variables> extends TypesOfDocument<Data, Variables> {
  readonly length: number;
  valueOf(): string;
}

/** A parsed document, such as `TypedDocumentNode`, or one of `gql`. */
interface DocumentTree<Data, Variables> extends TypesOfDocument<Data, Variables> {
  readonly kind: string;
  readonly definitions: readonly object[];
}

/**
 * A GraphQL document: a string, or the output of a code generator, which brings the types of its data and its variables. A
 * text is sent unchanged, byte for byte, because a server may know it by its hash. A parsed document is sent as graphql's
 * `print` writes it.
 */
export type TypedDocument<Data, Variables> = DocumentText<Data, Variables> | DocumentTree<Data, Variables>;

/** JSON of any shape: data and variables of a document without types. */
export type AnyFields = Readonly<Record<string, unknown>>;

/** The property `variables`. It may be missing if no variable is required. */
type GivenVariables<Variables> =
  Record<never, never> extends Variables
    ? { readonly variables?: NoInfer<Variables> }
    : { readonly variables: NoInfer<Variables> };

/**
 * An operation to run.
 * @typeParam Given the variables that the caller sets
 */
export type Operation<
  Data = AnyFields,
  Variables extends object = AnyFields,
  Given extends object = Variables,
> = {
  readonly query: TypedDocument<Data, Variables>;
  /** Which operation of the document runs; needed when it has several. */
  readonly operationName?: string;
} & GivenVariables<Given>;

/** A subscription. The client sets its variable `after`. */
export type FollowedOperation<Data = AnyFields, Variables extends object = AnyFields> = Operation<
  Data,
  Variables,
  Omit<Variables, 'after'>
>;

/** An operation without its types. */
export interface UntypedOperation {
  readonly query: TypedDocument<unknown, never>;
  readonly variables?: object;
  readonly operationName?: string;
}

/** The text of a document. */
export function textOf(document: TypedDocument<unknown, never>): string {
  return isTree(document) ? print(document) : document.toString();
}

// Every GraphQL library makes trees of this kind. `print` reads nothing else of them.
function isTree(document: TypedDocument<unknown, never>): document is DocumentNode {
  return typeof document === 'object' && 'kind' in document && document.kind === 'Document';
}
