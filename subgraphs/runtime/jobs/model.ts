import { type Connection, type Model, Schema } from 'mongoose';
import { keepWhole } from '../../kernel/database/shard-keys.ts';

/** The collection of all alarms. */
export const ALARMS = 'agendaJobs';

/** Agenda's document of a recurring job: the alarm that all processes share. Agenda writes further fields. */
export interface AlarmDocument {
  name: string;
  /** Milliseconds. */
  repeatInterval?: number;
  lastRunAt?: Date | null;
  nextRunAt?: Date | null;
}

const schema = new Schema<AlarmDocument>(
  { name: { type: String, required: true } },
  { collection: ALARMS, versionKey: false, strict: false },
);
keepWhole(schema, 'one document for each job');
// Of processes that make an alarm at once, one does.
schema.index({ name: 1 }, { unique: true, name: 'oneAlarmPerName' });

export function createAlarmModel(connection: Connection): Model<AlarmDocument> {
  return connection.model<AlarmDocument>('Alarm', schema);
}
