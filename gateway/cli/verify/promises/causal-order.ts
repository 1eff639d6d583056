import { type Check, expectEqual, expectThat } from '../check.ts';
import type { Scratch } from '../scratch.ts';

const ROUNDS = 20;

/** Reads after writes of another connection, in causal order. */
export const causalOrderChecks: readonly Check[] = [
  { name: 'reads: own writes through another connection', run: checkCausalOrder },
];

/** Reads from a secondary where there is one, after the time of the write. */
async function checkCausalOrder(scratch: Scratch): Promise<string> {
  const collection = await scratch.collection('causal');
  const reading = await scratch.another();
  const writer = scratch.connection.getClient().startSession();
  const reader = reading.getClient().startSession({ causalConsistency: true });
  try {
    for (let n = 1; n <= ROUNDS; n += 1) {
      await collection.replaceOne({ _id: 'a' }, { n }, { session: writer, upsert: true });
      const { clusterTime, operationTime } = writer;
      if (clusterTime && operationTime) {
        reader.advanceClusterTime(clusterTime);
        reader.advanceOperationTime(operationTime);
      }
      const seen = await scratch
        .through(reading, collection)
        .findOne({ _id: 'a' }, { session: reader, readPreference: 'secondaryPreferred' });
      expectEqual('The value read after the write', seen?.n, n);
    }
    expectThat(writer.operationTime !== undefined, 'The server gives writes no time (operationTime)');
  } finally {
    await writer.endSession();
    await reader.endSession();
  }
  return `${ROUNDS} reads with afterClusterTime, from a secondary where there is one`;
}
