import {
  type OpenApiDocument,
  type OpenApiOperation,
  openApiDocuments,
  type Parameter,
} from '../../gateway/app/openapi.ts';

/** The name of a variable of the collections, in the form that Postman and Bruno share. */
export const BASE_URL = '{{baseUrl}}';

/** The variables of the collections with the values that they begin with: keys are the reader's own. */
export const VARIABLES: Readonly<Record<string, string>> = {
  baseUrl: 'http://localhost:4000',
  apiKey: '',
  internalKey: '',
  userToken: 'usr_…',
  id: 'corr-1',
  limit: '10',
  referenceId: 'AB12cd34',
  operationId: 'op_…',
  linkId: 'link_…',
  userId: 'usr_…',
  dataRequestId: 'dr_…',
};

/** Query parameters that a call needs, although each alone is optional, in the form of a URL. */
const NEEDED: Readonly<Record<string, string>> = { phoneNumber: '%2B525512345678' };

/** A header or a query parameter of a call. */
export interface CollectionField {
  readonly name: string;
  readonly value: string;
  readonly description: string;
  /** Whether it is sent; otherwise the reader can enable it. */
  readonly enabled: boolean;
}

/** One documented call, as a reader of a collection sees it. */
export interface CollectionCall {
  /** The call's `operationId`. */
  readonly name: string;
  readonly description: string;
  readonly method: string;
  /** Begins with `/`; its parameters as `:name`. */
  readonly path: string;
  readonly pathParameters: readonly string[];
  readonly query: readonly CollectionField[];
  readonly headers: readonly CollectionField[];
  /** The first example of the documented body. */
  readonly body: unknown;
}

/** The calls of one document. */
export interface CollectionFolder {
  readonly name: string;
  readonly calls: readonly CollectionCall[];
}

/** Every documented call, by its document. */
export function collectionFolders(): CollectionFolder[] {
  return Object.values(openApiDocuments()).map((document: OpenApiDocument) => ({
    name: document.info.title,
    calls: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => toCall(document, path, method, operation)),
    ),
  }));
}

function toCall(
  document: OpenApiDocument,
  path: string,
  method: string,
  operation: OpenApiOperation,
): CollectionCall {
  const { operationId, summary, description, parameters = [], requestBody } = operation;
  const [example] = Object.values(requestBody?.content['application/json']?.examples ?? {});
  const isJson = requestBody !== undefined;
  return {
    name: operationId,
    description: description === undefined ? summary : `${summary}\n\n${description}`,
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    pathParameters: parameters.filter((one) => one.in === 'path').map(({ name }) => requireVariable(name)),
    query: parameters.filter((one) => one.in === 'query').map(toField),
    headers: [
      keyOf(document, operation),
      ...(isJson ? [sent('content-type', 'application/json')] : []),
      ...parameters.filter((one) => one.in === 'header').map(toField),
    ],
    body: example?.value,
  };
}

function toField({ name, description, required = false }: Parameter): CollectionField {
  const value = NEEDED[name] ?? '';
  return { name, value, description, enabled: required || value !== '' };
}

function sent(name: string, value: string): CollectionField {
  return { name, value, description: '', enabled: true };
}

/** The header of the first security scheme of a call. */
function keyOf(
  { components }: OpenApiDocument,
  { operationId, security }: OpenApiOperation,
): CollectionField {
  const [scheme = ''] = Object.keys(security[0] ?? {});
  const described = components.securitySchemes[scheme];
  if (!(described && 'name' in described)) {
    throw new TypeError(`${operationId} has no key`);
  }
  return sent(String(described.name), `{{${scheme}}}`);
}

function requireVariable(name: string): string {
  if (!Object.hasOwn(VARIABLES, name)) {
    throw new TypeError(`The path parameter ${name} has no value in schema/collections/calls.ts`);
  }
  return name;
}
