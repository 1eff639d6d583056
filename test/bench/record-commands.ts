import { mongo } from 'mongoose';
import { matchedIn, partsOf, type RecordedCommand } from './recording.ts';

/**
 * Loaded before the product (`node --import`), it reports to the process that started it, by IPC, of each command that the
 * product has sent to the store and that was answered. The database's URI must say `monitorCommands=true`.
 */
const { MongoClient, BSON } = mongo;
const { connect } = MongoClient.prototype;

MongoClient.prototype.connect = function record(this: mongo.MongoClient) {
  if (this.listenerCount('commandStarted') === 0) {
    follow(this);
  }
  return connect.call(this);
};

function follow(client: mongo.MongoClient): void {
  const started = new Map<number, mongo.CommandStartedEvent>();
  client.on('commandStarted', (event) => started.set(event.requestId, event));
  client.on('commandFailed', ({ requestId }) => started.delete(requestId));
  client.on('commandSucceeded', ({ requestId, reply }) => {
    const event = started.get(requestId);
    started.delete(requestId);
    if (event) {
      const { commandName: name, command } = event;
      const answer = reply as mongo.Document;
      const recorded: RecordedCommand = { name, command, matched: matchedIn(answer) };
      for (const one of [recorded, ...partsOf(recorded, answer)]) {
        // As it went over the wire: arrays of mongoose refer to their documents, which EJSON cannot write.
        const sent = BSON.deserialize(BSON.serialize(one), { promoteValues: false });
        process.send?.(BSON.EJSON.stringify(sent, { relaxed: false }));
      }
    }
  });
}
