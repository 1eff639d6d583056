import { mongo } from 'mongoose';
import { type Check, errorOf, expectEqual, expectThat } from '../check.ts';
import { CLIENTS, openClients, writersOf } from '../clients.ts';
import type { Scratch } from '../scratch.ts';

const ROUNDS = 10;

/** Upserts by `findOneAndUpdate` that meet. */
export const upsertChecks: readonly Check[] = [
  { name: 'races: upserts of one document', run: checkUpserts },
  { name: 'races: an upsert beside its document', run: checkHeldUpsert },
];

async function checkUpserts(scratch: Scratch): Promise<string> {
  const collection = await scratch.collection('upserts', [[{ key: 1 }, { unique: true }]]);
  const connections = await openClients(scratch);
  for (let round = 0; round < ROUNDS; round += 1) {
    const filter = { _id: `r${round}` };
    const answers = await Promise.all(
      writersOf(connections, CLIENTS * 2).map((connection) =>
        scratch
          .through(connection, collection)
          .findOneAndUpdate(
            filter,
            { $inc: { n: 1 }, $setOnInsert: { key: round } },
            { upsert: true, returnDocument: 'after' },
          ),
      ),
    );
    const values = answers.map((answer) => Number(answer?.n)).toSorted((one, other) => one - other);
    expectEqual(
      'Values that the callers got',
      values,
      Array.from({ length: CLIENTS * 2 }, (_, index) => index + 1),
    );
  }
  expectEqual('Documents', await collection.countDocuments(), ROUNDS);
  return `${ROUNDS} rounds of ${CLIENTS * 2} callers; one document each, and each caller its own value`;
}

/** An upsert whose condition the existing document does not meet must not write, nor make a second one. */
async function checkHeldUpsert(scratch: Scratch): Promise<string> {
  const collection = await scratch.collection('held');
  await collection.insertOne({ _id: 'a', until: new Date(Date.now() + 3_600_000), term: 1 });
  const taking = collection.findOneAndUpdate(
    { _id: 'a', until: { $lt: new Date() } },
    { $inc: { term: 1 } },
    { upsert: true, returnDocument: 'after' },
  );
  const error = await errorOf('An upsert beside a document with its _id', taking);
  expectThat(error instanceof mongo.MongoServerError && error.code === 11_000, `Another error: ${error}`);
  expectEqual('The term', (await collection.findOne({ _id: 'a' }))?.term, 1);
  return 'is answered with 11000';
}
