import type { Model, mongo } from 'mongoose';
import type { Sample } from './scratch.ts';

/** A collection as a unit of work takes it, which uses nothing of a model but its collection. */
export function writerOf(collection: mongo.Collection<Sample>): Model<Sample> {
  // The cast: a unit of work sends names of collections and plain documents.
  return { collection } as unknown as Model<Sample>;
}
