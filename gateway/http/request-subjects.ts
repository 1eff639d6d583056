import {
  type DocumentNode,
  type FieldNode,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { fieldOf } from '../../subgraphs/kernel/objects.ts';
import { isHiddenInLog } from '../../subgraphs/kernel/person/mask-numbers.ts';
import { FIRST_ENDPOINT } from '../../subgraphs/webhooks/partner-endpoints.ts';
import type { OperationInfo } from '../engine/index.ts';

/** The names under which calls, operations and answers have ids of records. No other value of theirs is read. */
export const ID_FIELDS = [
  ...['id', 'operationId', 'correlationId', 'referenceId', 'linkId', 'requestId', 'userId'],
  ...['dataRequestId', 'deliveryId', 'endpointId', 'keyId', 'sessionId', 'tokenId', 'contactId'],
  'paymentMethodId',
] as const;
/** Ids are short and have no spaces: other texts in their place are omitted. */
const ID = /^[\w.:|-]{1,128}$/;
const LETTER = /[a-z]/i;
/** An id with this many digits and no letter may be a phone number or a card number. */
const LEAST_DIGITS_OF_NUMBER = 10;
/** A larger body is not read again. */
const LARGEST_BODY_BYTES = 65_536;

/** Mutations that change the partner's first webhook endpoint unless they name another endpoint. */
export const CHANGES_FIRST_ENDPOINT: ReadonlySet<string> = new Set([
  'regenerateWebhookSecret',
  'rotateWebhookSecret',
  'sendTestWebhook',
  'updateWebhookConfig',
]);
/** Characters of parsed documents that are kept: clients repeat their documents. */
const MOST_CACHED_CHARACTERS = 500_000;

/** The ids that an object has under the names of ids. */
function idsIn(value: unknown): string[] {
  return ID_FIELDS.map((name) => fieldOf(value, name)).filter(
    (id): id is string => typeof id === 'string' && isLoggable(id),
  );
}

/** Whether a text is an id that the log may keep: no number of a person or of a card, and no credential. */
function isLoggable(id: string): boolean {
  return ID.test(id) && !isNumber(id) && !isHiddenInLog(id);
}

function isNumber(id: string): boolean {
  return !LETTER.test(id) && id.replace(/\D/g, '').length >= LEAST_DIGITS_OF_NUMBER;
}

/** The parameters of a route's path. */
export function subjectsOfParams(params: unknown): string[] {
  return idsIn(params);
}

/** The variables of an operation: their ids, and those of an input. */
export function subjectsOfVariables(variables: unknown): string[] {
  const input = fieldOf(variables, 'input');
  return [...[variables, input, fieldOf(input, 'request')].flatMap(idsIn), ...requestersIn(input)];
}

/** The partner's id of the user in the input or the body of a create of a money request. */
function requestersIn(create: unknown): string[] {
  const id = fieldOf(fieldOf(create, 'requestData'), 'userReferenceId');
  return typeof id === 'string' && isLoggable(id) ? [id] : [];
}

/**
 * The records that the fields of an operation that has run name in their arguments, as literals or as variables.
 * A field that changes the first webhook endpoint names it by default.
 */
export function createSubjectsOfFields(): (
  operation: Pick<OperationInfo, 'document' | 'operationName' | 'variables'>,
) => string[] {
  const parsed = new LRUCache<string, DocumentNode>({
    maxSize: MOST_CACHED_CHARACTERS,
    sizeCalculation: (_document, text) => text.length,
  });
  return ({ document: text, operationName, variables }) => {
    const document = parsed.get(text) ?? parse(text, { noLocation: true });
    parsed.set(text, document);
    const operation = getOperationAST(document, operationName);
    if (!operation) {
      return [];
    }
    const values = { ...defaultsOf(operation), ...variables };
    return fieldsIn(operation.selectionSet, document).flatMap((field) => subjectsOfField(field, values));
  };
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );
}

/** The root fields, also of fragments. The document has passed validation: fragments exist and have no cycles. */
function fieldsIn({ selections }: SelectionSetNode, document: DocumentNode): FieldNode[] {
  return selections.flatMap((node) => {
    if (node.kind === Kind.FIELD) {
      return [node];
    }
    const inner =
      node.kind === Kind.INLINE_FRAGMENT
        ? node
        : document.definitions.find(
            (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === node.name.value,
          );
    return inner && 'selectionSet' in inner && inner.selectionSet
      ? fieldsIn(inner.selectionSet, document)
      : [];
  });
}

function subjectsOfField(
  { name, arguments: given = [] }: FieldNode,
  variables: Record<string, unknown>,
): string[] {
  const named = subjectsOfVariables(
    Object.fromEntries(
      given.map(({ name: { value }, value: node }) => [value, valueFromASTUntyped(node, variables)]),
    ),
  );
  return named.length === 0 && CHANGES_FIRST_ENDPOINT.has(name.value) ? [FIRST_ENDPOINT] : named;
}

/** The body of a REST call, as bytes; none of one that is no JSON. */
export function subjectsOfBody(body: unknown): string[] {
  if (!Buffer.isBuffer(body) || body.length > LARGEST_BODY_BYTES) {
    return [];
  }
  try {
    const value: unknown = JSON.parse(body.toString());
    return [...[value, fieldOf(value, 'request')].flatMap(idsIn), ...requestersIn(value)];
  } catch (error) {
    if (error instanceof SyntaxError) {
      return [];
    }
    throw error;
  }
}

/** The records that the payloads of a mutation have made or changed: of each payload, the objects in it. */
export function subjectsOfPayloads(data: Readonly<Record<string, unknown>>): string[] {
  const payloads = Object.values(data).filter((payload) => typeof payload === 'object' && payload !== null);
  return payloads.flatMap((payload) => Object.values(payload).flatMap(idsIn));
}
