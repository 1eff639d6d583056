import { type Connection, type Model, Schema } from 'mongoose';
import { keepWhole } from '../../kernel/database/shard-keys.ts';
import { retryOnConflict } from '../../kernel/database/transaction.ts';
import type { LogStatus } from '../../runtime/events/log-status.ts';
import type { QueueView } from './work.ts';

/** How the platform's work stood at one time. */
interface PlatformSample {
  readonly at: Date;
  /** Committed events without a number. */
  readonly unnumbered: number;
  /** Age of the oldest of these, in milliseconds. */
  readonly lagMs: number;
  readonly queues: readonly Pick<QueueView, 'name' | 'waiting' | 'overdueSeconds'>[];
}

/** The samples of the last hour: one document for the whole deployment. */
interface SamplesDocument {
  _id: typeof ID;
  /** Oldest first. */
  samples: PlatformSample[];
}
const ID = 'lastHour';

/** How often a sample is taken. */
export const SAMPLE_SECONDS = 60;
const KEPT = 61;
const HOUR_MS = 3_600_000;

const schema = new Schema<SamplesDocument>(
  { _id: { type: String, required: true }, samples: { type: Schema.Types.Mixed, required: true } },
  { collection: 'platformSamples', versionKey: false },
);
keepWhole(schema, 'one document');

export function createSampleModel(connection: Connection): Model<SamplesDocument> {
  return connection.model<SamplesDocument>('PlatformSamples', schema);
}

/** Samples of the platform's work. */
export interface Samples {
  /** Stores how it stands now, and removes the oldest. */
  take(): Promise<void>;
  /** Those of the last hour, oldest first. */
  read(): Promise<PlatformSample[]>;
}

interface SamplesDeps {
  readonly model: Model<SamplesDocument>;
  readonly queues: () => Promise<readonly QueueView[]>;
  readonly events: () => Promise<Pick<LogStatus, 'unnumbered' | 'lagMs'>>;
  readonly clock: () => Date;
}

export function createSamples({ model, queues, events, clock }: SamplesDeps): Samples {
  return {
    take: async () => {
      const [waiting, { unnumbered, lagMs }] = await Promise.all([queues(), events()]);
      const sample: PlatformSample = {
        at: clock(),
        unnumbered,
        lagMs,
        queues: waiting.map(({ name, waiting: count, overdueSeconds }) => ({
          name,
          waiting: count,
          overdueSeconds,
        })),
      };
      const update = { $push: { samples: { $each: [sample], $slice: -KEPT } } };
      await retryOnConflict(() => model.updateOne({ _id: ID }, update, { upsert: true }).exec());
    },
    read: async () => {
      const found = await model.findById(ID).lean();
      const since = clock().getTime() - HOUR_MS;
      return (found?.samples ?? []).filter(({ at }) => at.getTime() > since);
    },
  };
}
