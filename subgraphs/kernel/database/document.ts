import type { mongo } from 'mongoose';

/**
 * A filter or an update as a plain document, as the driver takes it. The types of mongoose do not know the fields of a
 * document whose type is a parameter.
 */
export function toDocument(given: object): mongo.Document {
  return given;
}
