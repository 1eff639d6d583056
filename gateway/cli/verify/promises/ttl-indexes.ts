import { type Check, expectEqual, expectThat } from '../check.ts';
import { migratedConnection } from '../migrated.ts';

const EXPIRE_SECONDS = 3_600;

/** Indexes by which the database removes documents. A run is too short to see it remove one. */
export const ttlIndexChecks: readonly Check[] = [
  {
    name: 'TTL indexes: declared and kept',
    run: async (scratch) => {
      const collection = await scratch.collection('expiring', [
        [{ at: 1 }, { expireAfterSeconds: EXPIRE_SECONDS }],
        [{ until: 1 }, { expireAfterSeconds: 0 }],
      ]);
      const indexes = await collection.indexes();
      const seconds = indexes.flatMap(({ expireAfterSeconds = [] }) => expireAfterSeconds);
      expectEqual('Seconds', seconds.toSorted(), [0, EXPIRE_SECONDS]);
      return `after 0 s and ${EXPIRE_SECONDS} s`;
    },
  },
  {
    name: "TTL indexes: the product's own",
    run: async (scratch) => {
      const connection = await migratedConnection(scratch);
      let count = 0;
      for (const model of Object.values(connection.models)) {
        const declared = model.schema
          .indexes()
          .flatMap(([, { expireAfterSeconds = [] }]) => expireAfterSeconds);
        const kept = (await model.collection.indexes()).flatMap(
          ({ expireAfterSeconds = [] }) => expireAfterSeconds,
        );
        expectEqual(
          `TTL indexes of ${model.collection.name}`,
          kept.toSorted(),
          declared.map(Number).toSorted(),
        );
        count += kept.length;
      }
      expectThat(count > 0, 'The product has declared none');
      return `${count} indexes`;
    },
  },
];
