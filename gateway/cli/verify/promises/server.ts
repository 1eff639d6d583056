import type { Check } from '../check.ts';
import { expectThat } from '../check.ts';

const OLDEST_MAJOR = 7;

/** The server itself: its version, its form, and its acknowledgement of writes. */
export const serverChecks: readonly Check[] = [
  {
    name: 'server: version 7.0 or newer',
    run: async ({ db }) => {
      const { version, versionArray } = await db.admin().command({ buildInfo: 1 });
      expectThat(
        Number(versionArray?.[0]) >= OLDEST_MAJOR,
        `It is ${version}; 7.0 is the oldest that is supported`,
      );
      return String(version);
    },
  },
  {
    name: 'server: replica set or mongos',
    run: async ({ db }) => {
      const { setName, msg, hosts } = await db.admin().command({ hello: 1 });
      expectThat(typeof setName === 'string' || msg === 'isdbgrid', 'It is a stand-alone server');
      return msg === 'isdbgrid' ? 'mongos' : `replica set ${setName}, ${hosts?.length ?? 1} data members`;
    },
  },
  {
    name: 'server: majority writes with journal',
    run: async (scratch) => {
      const { collectionName } = await scratch.collection('journal');
      const answer = await scratch.db.command({
        insert: collectionName,
        documents: [{ _id: 'one' }],
        writeConcern: { w: 'majority', j: true },
      });
      expectThat(
        answer.n === 1 && answer.writeConcernError === undefined,
        `The write was not acknowledged so: ${JSON.stringify(answer.writeConcernError)}`,
      );
      const found = await scratch.db
        .collection(collectionName)
        .findOne({}, { readConcern: { level: 'majority' } });
      expectThat(found !== null, 'A majority read does not see an acknowledged majority write');
      return 'acknowledged, and seen by a majority read';
    },
  },
];
