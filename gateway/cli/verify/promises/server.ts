import { issueOf } from '../../../../subgraphs/kernel/database/connect.ts';
import { type Check, expectThat } from '../check.ts';

/** The server itself: its version, its form, and its acknowledgement of writes. */
export const serverChecks: readonly Check[] = [
  {
    name: 'server: version, replica set or mongos',
    run: async ({ uri, db }) => {
      const hello = await db.admin().command({ hello: 1 });
      const build = await db.admin().command({ buildInfo: 1 });
      const issue = issueOf(uri, hello, build);
      expectThat(issue === undefined, `The server ${issue}`);
      const { msg, setName, hosts } = hello;
      const form =
        msg === 'isdbgrid' ? 'mongos' : `replica set ${setName}, ${hosts?.length ?? 1} data members`;
      return `${build.version}, ${form}`;
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
