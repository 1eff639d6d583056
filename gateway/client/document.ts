import { type Document, fieldsOf, type Operation, parse, type Selection } from './graphql-reader.ts';
import { badDocument } from './live-error.ts';

/** The properties of a subscription that the client reads from its document. */
interface SubscriptionShape {
  /** The name of its one field in results. */
  readonly key: string;
  /** The variable that it passes as `after`. */
  readonly afterVariable: string;
}

/**
 * Reads a subscription, and checks that the client can resume it.
 * @throws LiveError `BAD_DOCUMENT`, which names the change to make
 */
export function readSubscription(query: string, operationName?: string): SubscriptionShape {
  const document = parse(query);
  const [field, ...others] = fieldsOf(
    operationOf(document, 'subscription', operationName).selections,
    document,
  );
  if (field === undefined || others.length > 0) {
    throw badDocument('A subscription selects exactly one field');
  }
  const afterVariable = field.variables.get('after');
  if (afterVariable === undefined) {
    throw badDocument(`Pass a variable as the argument after: ${field.name}(after: $after)`);
  }
  if (!selects(field.selections, 'cursor', document)) {
    throw badDocument(`Select cursor in ${field.name}, without an alias: the client resumes by it`);
  }
  return { key: field.key, afterVariable };
}

/** Checks that a list can be followed. @throws LiveError `BAD_DOCUMENT`, which names the change to make */
export function checkList(query: string, operationName?: string): void {
  const document = parse(query);
  if (!selects(operationOf(document, 'query', operationName).selections, 'latestEventCursor', document)) {
    throw badDocument(
      'Select latestEventCursor in the query of the list, without an alias: events follow behind it',
    );
  }
}

function operationOf({ operations }: Document, kind: string, name: string | undefined): Operation {
  const [operation, ...others] = operations.filter((one) => name === undefined || one.name === name);
  if (operation === undefined || others.length > 0) {
    throw badDocument('The document has no such operation, or several: operationName says which one runs');
  }
  if (operation.kind !== kind) {
    throw badDocument(`The operation is a ${operation.kind}, not a ${kind}`);
  }
  return operation;
}

const selects = (selections: readonly Selection[], name: string, document: Document) =>
  fieldsOf(selections, document).some((field) => field.key === name && field.name === name);
