import type { Connection, mongo } from 'mongoose';

/** A statement as the product has sent it, in the form that `explain` takes. */
export interface Statement {
  readonly collection: string;
  /** Such as `find`. */
  readonly command: string;
  /** The filter's fields, in their order. */
  readonly fields: readonly string[];
  /** Fields and directions of the order. */
  readonly sort: Readonly<Record<string, unknown>>;
  /** The command itself. */
  readonly explained: mongo.Document;
}

/** Keeps one statement of each kind: the last one, which most likely finds something. */
export interface Recorder {
  readonly statements: Map<string, Statement>;
}

export function createRecorder(): Recorder {
  return { statements: new Map() };
}

/**
 * Records the statements that a connection sends from now on. Its client must report commands.
 * @returns stops it
 */
export function recordStatements(connection: Connection, { statements }: Recorder): () => void {
  const record = ({ databaseName, command }: mongo.CommandStartedEvent) => {
    for (const statement of statementsOf(databaseName, command, connection.name)) {
      statements.set(kindOf(statement), statement);
    }
  };
  const client = connection.getClient();
  client.on('commandStarted', record);
  return () => void client.off('commandStarted', record);
}

/** Its collection, command, filter and order, for people; of the same text for all statements of a kind. */
export function kindOf({ collection, command, fields, sort }: Statement): string {
  const order = Object.entries(sort).map(([field, direction]) => `${field} ${direction}`);
  return `${collection} ${command} {${fields.join(', ')}}${order.length > 0 ? ` by ${order.join(', ')}` : ''}`;
}

function statementsOf(database: string, command: mongo.Document, own: string): Statement[] {
  if (Array.isArray(command.ops)) {
    return bulkStatements(command);
  }
  return database === own ? commandStatements(command) : [];
}

function commandStatements(command: mongo.Document): Statement[] {
  const [name = ''] = Object.keys(command);
  const collection = command[name];
  switch (name) {
    case 'find':
      return [toStatement(name, collection, command.filter, command.sort, pick(command, FIND))];
    case 'aggregate':
      return aggregateStatements(collection, command);
    case 'count':
    case 'distinct':
      return [toStatement(name, collection, command.query, {}, pick(command, [name, 'key', 'query']))];
    case 'findAndModify':
      return [toStatement(name, collection, command.query, command.sort, pick(command, MODIFY))];
    case 'update':
      return command.updates.map((one: mongo.Document) =>
        toStatement(name, collection, one.q, {}, { update: collection, updates: [one] }),
      );
    case 'delete':
      return command.deletes.map((one: mongo.Document) =>
        toStatement(name, collection, one.q, {}, { delete: collection, deletes: [one] }),
      );
    default:
      return [];
  }
}

const FIND = ['find', 'filter', 'sort', 'limit', 'skip', 'projection'];
const MODIFY = ['findAndModify', 'query', 'sort', 'update', 'remove', 'new', 'upsert', 'fields'];

/** An aggregate over a collection; change streams are none. */
function aggregateStatements(collection: unknown, { pipeline }: mongo.Document): Statement[] {
  const [first = {}] = pipeline;
  if (typeof collection !== 'string' || '$changeStream' in first) {
    return [];
  }
  const sort = pipeline.find((stage: mongo.Document) => stage.$sort)?.$sort;
  const explained = { aggregate: collection, pipeline, cursor: {} };
  return [toStatement('aggregate', collection, first.$match, sort, explained)];
}

/** The changes of a `bulkWrite` over several collections, each as an update: `explain` takes no `bulkWrite`. */
function bulkStatements({ ops, nsInfo }: mongo.Document): Statement[] {
  return ops.flatMap(({ update: place, filter, updateMods, multi }: mongo.Document) => {
    if (filter === undefined) {
      return [];
    }
    const namespace: string = nsInfo[place].ns;
    const collection = namespace.slice(namespace.indexOf('.') + 1);
    const explained = { update: collection, updates: [{ q: filter, u: updateMods, multi }] };
    return [toStatement('update', collection, filter, {}, explained)];
  });
}

function toStatement(
  command: string,
  collection: string,
  filter: mongo.Document = {},
  sort: unknown = {},
  explained: mongo.Document,
): Statement {
  const order = sort instanceof Map ? Object.fromEntries(sort) : { ...(sort as object) };
  return { collection, command, fields: fieldsOf(filter), sort: order, explained };
}

/** Fields of a filter, those of its alternatives among them. */
function fieldsOf(filter: mongo.Document): string[] {
  const fields = Object.entries(filter).flatMap(([field, condition]) =>
    Array.isArray(condition) && field.startsWith('$')
      ? [`${field}(${[...new Set(condition.flatMap(fieldsOf))].join(', ')})`]
      : [field],
  );
  return [...new Set(fields)];
}

function pick(command: mongo.Document, names: readonly string[]): mongo.Document {
  return Object.fromEntries(Object.entries(command).filter(([name]) => names.includes(name)));
}
