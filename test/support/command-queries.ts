import type { Connection, mongo } from 'mongoose';
import type { Filter } from './query-conditions.ts';
import type { StoreQuery } from './query-planner.ts';

/** A query, whatever collection it is for. */
type QueryShape = Omit<StoreQuery, 'collection' | 'method'>;

/** Calls back with each query that the connection sends from now on. It must have been opened with `monitorCommands`. */
export function onQuery(connection: Connection, take: (query: StoreQuery) => void): void {
  connection.getClient().on('commandStarted', ({ commandName, command }: mongo.CommandStartedEvent) => {
    for (const query of queriesOfCommand(commandName, command)) {
      take({ ...query, filter: asForMongoDB(query.filter) });
    }
  });
}

/** `withAnyOf` makes a branch of `$or` for each value only for the development store: for MongoDB it makes one `$in`. */
function asForMongoDB(filter: Filter): Filter {
  const branches = Object.keys(filter).length === 1 ? filter.$or : undefined;
  const [first, ...others] = Array.isArray(branches) ? (branches as Filter[]) : [];
  if (first === undefined || others.length === 0) {
    return filter;
  }
  const fields = Object.keys(first);
  const varying = fields.filter((field) => others.some((other) => other[field] !== first[field]));
  const isAlike = (other: Filter) =>
    Object.keys(other).join() === fields.join() &&
    Object.values(other).every((value) => typeof value === 'string');
  const [field] = varying;
  return field !== undefined && varying.length === 1 && [first, ...others].every(isAlike)
    ? { ...first, [field]: { $in: [first, ...others].map((branch) => branch[field]) } }
    : filter;
}

/** The queries of a command as the driver sends it. Inserts have none. */
function queriesOfCommand(name: string, command: mongo.Document): StoreQuery[] {
  const collection = String(command[name]);
  switch (name) {
    case 'find':
      return [{ collection, method: name, ...shapeOfFind(command) }];
    case 'count':
    case 'distinct': {
      const fields = name === 'distinct' ? [command.key] : [];
      return [{ collection, method: name, filter: command.query ?? {}, sort: [], fields }];
    }
    case 'findAndModify':
      return [
        {
          ...{ collection, method: name, filter: command.query ?? {} },
          ...{ sort: sortOf(command.sort), isLimited: true },
        },
      ];
    case 'aggregate':
      // A change stream reads the log of the database's writes.
      return command.pipeline[0]?.$changeStream === undefined
        ? [{ collection, method: name, ...shapeOfStages(command.pipeline) }]
        : [];
    case 'update':
      return command.updates.map((one: mongo.Document) => writeOf(collection, 'update', one.q, one.multi));
    case 'delete':
      return command.deletes.map((one: mongo.Document) =>
        writeOf(collection, 'delete', one.q, one.limit !== 1),
      );
    case 'bulkWrite':
      return command.ops.flatMap((op: mongo.Document) => {
        const ns = String(command.nsInfo[op.update ?? op.delete ?? op.insert]?.ns);
        const written = ns.slice(ns.indexOf('.') + 1);
        const kind = op.delete === undefined ? 'update' : 'delete';
        return op.filter === undefined ? [] : [writeOf(written, kind, op.filter, op.multi)];
      });
    default:
      return [];
  }
}

function writeOf(collection: string, kind: string, filter: mongo.Document, isOfMany: unknown): StoreQuery {
  const isLimited = !isOfMany;
  return { collection, method: isLimited ? kind : `${kind}Many`, filter, sort: [], isLimited };
}

function shapeOfFind({ filter, sort, limit, projection }: mongo.Document): QueryShape {
  return {
    ...{ filter: filter ?? {}, sort: sortOf(sort), isLimited: Boolean(limit) },
    ...fieldsOf(projection),
  };
}

/** The query at the beginning of an aggregation, and the fields that its group is made of. */
function shapeOfStages(stages: readonly mongo.Document[]): QueryShape {
  const place = stages.findIndex(({ $group }) => $group !== undefined);
  const before = place === -1 ? stages : stages.slice(0, place);
  return {
    filter: stages[0]?.$match ?? {},
    sort: sortOf(before.find(({ $sort }) => $sort)?.$sort),
    isLimited: before.some(({ $limit }) => $limit !== undefined),
    ...(place === -1 ? {} : { fields: pathsIn(stages[place]?.$group) }),
  };
}

/** The paths of fields in an expression, such as `$withdrawal.status`. */
function pathsIn(expression: unknown): string[] {
  if (typeof expression === 'string') {
    return /^\$[^$]/.test(expression) ? [expression.slice(1)] : [];
  }
  return typeof expression === 'object' && expression !== null
    ? Object.values(expression).flatMap(pathsIn)
    : [];
}

/** The fields of a projection that names those to read. */
function fieldsOf(projection: mongo.Document | undefined): { fields?: readonly string[] } {
  const fields = Object.entries(projection ?? {})
    .filter(([, value]) => Boolean(value))
    .map(([field]) => field);
  if (fields.length === 0) {
    return {};
  }
  return { fields: projection?._id === 0 ? fields : [...new Set(['_id', ...fields])] };
}

function sortOf(sort: mongo.Document | undefined): [string, number][] {
  const entries = sort instanceof Map ? [...sort.entries()] : Object.entries(sort ?? {});
  return entries.map(([field, direction]) => [String(field), Number(direction)]);
}
