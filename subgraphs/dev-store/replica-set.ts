import mongoose from 'mongoose';
import { type AdminCommands, waitForPrimary } from './primary.ts';

/** Name of the one-member replica set that makes transactions and change streams possible on one `mongod`. */
export const REPLICA_SET = 'remitgraph';

const ALREADY_INITIALIZED = 23;

/**
 * Makes the `mongod` behind `admin` the primary of a replica set of which `address` is the only member. Data from an
 * earlier start carries that start's configuration: where it names another port, the member would not recognise itself
 * and stay out of its own set, so the address is put right first.
 * @throws DatabaseError when it does not become a primary
 */
export async function ensureReplicaSet(admin: AdminCommands, address: string): Promise<void> {
  const member = { _id: 0, host: address };
  try {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [member] } });
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoServerError && error.code === ALREADY_INITIALIZED)) {
      throw error;
    }
    await moveReplicaSet(admin, address);
  }
  await waitForPrimary(admin);
}

async function moveReplicaSet(admin: AdminCommands, address: string): Promise<void> {
  const { config } = await admin.command({ replSetGetConfig: 1 });
  if (config.members.length === 1 && config.members[0].host === address) {
    return;
  }
  await admin.command({
    replSetReconfig: {
      ...config,
      version: config.version + 1,
      members: [{ ...config.members[0], host: address }],
    },
    // Without `force` only a primary may do this, and it is none before.
    force: true,
  });
}
