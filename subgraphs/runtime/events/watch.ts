import type { Connection, mongo, Types } from 'mongoose';
import { causalTimesOf } from '../../kernel/database/causal-times.ts';
import type { Logger } from '../../kernel/log/log.ts';
import type { EventModels } from './model.ts';
import { createPacing, WORK_PACE } from './pacing.ts';
import type { Place, UnclaimedWork } from './reader.ts';
import type { ReportedEvent } from './sequencer.ts';
import { createWatcher, type Watcher, type WatcherDeps } from './watcher.ts';

interface WatchDeps {
  connection: Connection;
  log: Logger;
}

type Listener<Change> = Pick<WatcherDeps<Change>, 'onOpen' | 'onChanges'>;

/** Calls back with new events, whichever process has written them. */
export function watchEvents(
  deps: WatchDeps,
  model: EventModels['events'],
  { onOpen, onChanges }: Listener<ReportedEvent>,
): Watcher {
  return createWatcher<{ documentKey: { _id: Types.ObjectId }; fullDocument: { partition: number } }>({
    log: deps.log,
    isOfMongos: isOfMongos(deps),
    open: () => watch(deps, model, { operationType: 'insert' }, ['documentKey', 'fullDocument.partition']),
    onOpen,
    onChanges: (changes) =>
      onChanges(
        changes.map(({ documentKey, fullDocument }) => ({
          id: documentKey._id,
          partition: fullDocument.partition,
        })),
      ),
  });
}

/**
 * Calls back with the last numbers given in partitions, whichever process has given them. A process that takes a partition over
 * gives no number by that.
 */
export function watchHeads(
  deps: WatchDeps,
  model: EventModels['heads'],
  { onOpen, onChanges }: Listener<Place>,
): Watcher {
  const lastSeq = 'updateDescription.updatedFields.lastSeq';
  return createWatcher<{
    documentKey: { _id: number };
    updateDescription: { updatedFields: { lastSeq: number } };
  }>({
    log: deps.log,
    isOfMongos: isOfMongos(deps),
    open: () =>
      watch(deps, model, { operationType: 'update', [lastSeq]: { $gt: 0 } }, ['documentKey', lastSeq]),
    onOpen,
    onChanges: (changes) =>
      onChanges(
        changes.map(({ documentKey, updateDescription }) => ({
          partition: documentKey._id,
          seq: updateDescription.updatedFields.lastSeq,
        })),
      ),
  });
}

/** Calls back with changes that left work without a lease, whichever process has made them. */
export function watchUnclaimed(
  deps: WatchDeps,
  model: EventModels['events'],
  { onOpen, onChanges }: Listener<UnclaimedWork>,
): Watcher {
  const changes = { operationType: 'insert', 'fullDocument.unclaimed': true };
  const fields = ['accountId', 'entity', 'entityId'].map((field) => `fullDocument.${field}`);
  return createWatcher<{ fullDocument: UnclaimedWork }>({
    log: deps.log,
    pacing: () => createPacing(undefined, WORK_PACE),
    isOfMongos: isOfMongos(deps),
    open: () => watch(deps, model, changes, fields),
    onOpen,
    onChanges: (reported) => onChanges(reported.map(({ fullDocument }) => fullDocument)),
  });
}

/** Whether change streams are those of a mongos. */
export function isOfMongos({ connection }: Pick<WatchDeps, 'connection'>): boolean {
  return causalTimesOf(connection) !== undefined;
}

/** It uses the driver itself: a wake signal needs neither documents nor their schema. */
function watch<Change extends mongo.Document>(
  { connection }: WatchDeps,
  model: { readonly collection: { readonly collectionName: string } },
  changes: mongo.Document,
  fields: readonly string[],
): mongo.ChangeStream<mongo.Document, Change> {
  const projected = Object.fromEntries(fields.map((field) => [field, 1]));
  const pipeline = [{ $match: changes }, { $project: projected }];
  return connection
    .getClient()
    .db(connection.name)
    .collection(model.collection.collectionName)
    .watch<mongo.Document, Change>(pipeline);
}
