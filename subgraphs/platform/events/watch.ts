import type { Connection, mongo, Types } from 'mongoose';
import type { Logger } from '../log/log.ts';
import type { EventModels } from './model.ts';
import { createWatcher, type Watcher, type WatcherDeps } from './watcher.ts';

interface WatchDeps {
  connection: Connection;
  log: Logger;
}

type Listener<Change> = Pick<WatcherDeps<Change>, 'onOpen' | 'onChanges'>;

/** Tells the ids of new events, whichever process has written them. */
export function watchEvents(
  deps: WatchDeps,
  model: EventModels['events'],
  { onOpen, onChanges }: Listener<Types.ObjectId>,
): Watcher {
  return createWatcher<{ documentKey: { _id: Types.ObjectId } }>({
    log: deps.log,
    open: () => watch(deps, model, 'insert', 'documentKey'),
    onOpen,
    onChanges: (changes) => onChanges(changes.map(({ documentKey }) => documentKey._id)),
  });
}

/** Tells the last numbers given, whichever process has given them. A process that takes over gives none by that. */
export function watchHead(
  deps: WatchDeps,
  model: EventModels['head'],
  { onOpen, onChanges }: Listener<number>,
): Watcher {
  return createWatcher<{ updateDescription: { updatedFields?: { lastSeq?: number } } }>({
    log: deps.log,
    open: () => watch(deps, model, 'update', 'updateDescription.updatedFields.lastSeq'),
    onOpen,
    onChanges: (changes) =>
      onChanges(changes.flatMap(({ updateDescription }) => updateDescription.updatedFields?.lastSeq ?? [])),
  });
}

/** By the driver itself: a wake signal needs neither documents nor their schema. */
function watch<Change extends mongo.Document>(
  { connection }: WatchDeps,
  model: { readonly collection: { readonly collectionName: string } },
  operationType: 'insert' | 'update',
  field: string,
): mongo.ChangeStream<mongo.Document, Change> {
  const pipeline = [{ $match: { operationType } }, { $project: { [field]: 1 } }];
  return connection
    .getClient()
    .db(connection.name)
    .collection(model.collection.collectionName)
    .watch<mongo.Document, Change>(pipeline);
}
