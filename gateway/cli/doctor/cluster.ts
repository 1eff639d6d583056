import { type Connection, mongo } from 'mongoose';
import { type Examined, type Finding, failure, warning, well } from './finding.ts';

const FEWEST_MEMBERS = 3;
const HOUR_S = 3_600;
const UNAUTHORIZED = 13;
/** MongoDB's answer to a command that it does not know; SecantusDB in Python does not know `replSetGetConfig`. */
const COMMAND_NOT_FOUND = 59;
/** A member that was away for longer must be copied anew, and so must a backup that has taken longer. */
const SHORTEST_OPLOG_HOURS = 24;
/** An oplog that is less full has not reached its limit: it is short because it is young. */
const FULL = 0.9;

/** A member in the answer of `replSetGetConfig`. */
interface Member {
  readonly host: string;
  readonly arbiterOnly?: boolean;
  readonly hidden?: boolean;
  readonly priority?: number;
  readonly votes?: number;
  readonly secondaryDelaySecs?: number | mongo.Long;
}

/** The configuration of a replica set, as `replSetGetConfig` answers it (MongoDB, "Replica Set Configuration"). */
export interface SetConfig {
  readonly members: readonly Member[];
  readonly settings?: { readonly chainingAllowed?: boolean };
  readonly writeConcernMajorityJournalDefault?: boolean;
}

/** Checks how a replica set is built. On a sharded cluster each shard is a replica set of its own, which this cannot see. */
export async function checkMembers({ connection, config }: Examined): Promise<Finding[]> {
  const admin = connection.getClient().db('admin');
  const { hosts, msg } = await admin.command({ hello: 1 });
  if (msg === 'isdbgrid') {
    return [
      well(
        'replica set',
        'A sharded cluster. Run this command with the URI of each shard too, to check its members.',
      ),
    ];
  }
  const known = Array.isArray(hosts) ? hosts.map((host) => ({ host: String(host) })) : [];
  const answered = await permitted(() => admin.command({ replSetGetConfig: 1 }));
  const set: SetConfig = answered?.config ?? { members: known };
  const isProduction = config.NODE_ENV === 'production';
  const findings = judgeMembers(set, isProduction);
  if (answered === undefined && isProduction) {
    findings.push(
      warning(
        'replica set',
        'This account may not read the configuration of the replica set, so its members were not checked.',
        'Run this command once as an account with the role clusterMonitor.',
      ),
    );
  }
  const count = set.members.length;
  return findings.length > 0
    ? findings
    : [well('replica set', `The replica set has ${count} ${count === 1 ? 'member' : 'members'}.`)];
}

/** A fault of a replica set: whether it has it, what it is, and the fix. */
type Fault = readonly [isThere: boolean, what: string, fix: string];

/** The findings about the members of a replica set. In development a single member is enough. */
export function judgeMembers(set: SetConfig, isProduction: boolean): Finding[] {
  return faultsOf(set, isProduction).flatMap(([isThere, what, fix]) =>
    isThere ? [warning('replica set', what, fix)] : [],
  );
}

function faultsOf(set: SetConfig, isProduction: boolean): readonly Fault[] {
  const arbiters = set.members.filter(isArbiter).map(hostOf);
  const holding = set.members.filter((member) => !isArbiter(member));
  const delayedVoters = holding.filter((member) => isDelayed(member) && votes(member)).map(hostOf);
  const electable = holding.filter((member) => votes(member) && (member.priority ?? 1) > 0).map(hostOf);
  return [
    [
      isProduction && holding.length < FEWEST_MEMBERS,
      `The replica set has ${holding.length} ${holding.length === 1 ? 'member' : 'members'} with data.`,
      `Add members until there are ${FEWEST_MEMBERS}: rs.add("host:27017"). With fewer, the loss of one stops all writes.`,
    ],
    [
      arbiters.length > 0,
      `It has an arbiter: ${arbiters.join(', ')}. When a member with data is away, an arbiter elects a primary that cannot acknowledge writes.`,
      'Replace it by a member with data: rs.remove("…"), then rs.add("…").',
    ],
    [
      delayedVoters.length > 0,
      `A delayed member votes: ${delayedVoters.join(', ')}. Writes wait for it when another member is away.`,
      'Give it votes: 0 and priority: 0 by rs.reconfig, or end its delay.',
    ],
    [
      isProduction && holding.length >= FEWEST_MEMBERS && electable.length < FEWEST_MEMBERS,
      `Only ${electable.length} of its members can become primary: ${electable.join(', ') || 'none'}. The others have no vote, or priority 0, as hidden and delayed members have.`,
      `Let ${FEWEST_MEMBERS} members vote with a priority above 0.`,
    ],
    [
      set.writeConcernMajorityJournalDefault === false,
      'writeConcernMajorityJournalDefault is off: a majority may acknowledge what no disk has yet, and a power cut of all members loses it.',
      'Set it to true by rs.reconfig.',
    ],
    [
      isProduction && holding.length > FEWEST_MEMBERS && set.settings?.chainingAllowed !== false,
      'Members may copy from other secondaries (chained replication): a write waits for each link of the chain.',
      'Set settings.chainingAllowed to false by rs.reconfig, unless members are far apart.',
    ],
  ];
}

const isArbiter = ({ arbiterOnly }: Member) => arbiterOnly === true;
const isDelayed = ({ secondaryDelaySecs = 0 }: Member) => Number(secondaryDelaySecs) > 0;
const votes = (member: Member) => (member.votes ?? 1) > 0;
const hostOf = ({ host }: Member) => host;

/** Checks that the storage engine keeps data on disk. */
export async function checkStorage({ connection }: Examined): Promise<Finding[]> {
  const status = await permitted(() =>
    connection.getClient().db('admin').command({ serverStatus: 1, metrics: 0, repl: 0 }),
  );
  return status?.storageEngine?.persistent === false
    ? [
        failure(
          'storage',
          `The storage engine ${status.storageEngine.name} keeps data in memory only, without a journal.`,
          'Use WiredTiger: a restart of all members loses every payment.',
        ),
      ]
    : [];
}

/** The oplog: its oldest and newest entry, seconds since 1970, and how full it is, from 0 to 1. */
interface Oplog {
  readonly first: number;
  readonly last: number;
  readonly fill: number;
}

/** Checks how far back the oplog reaches. */
export async function checkOplog(examined: Examined): Promise<Finding[]> {
  const oplog = examined.config.NODE_ENV === 'production' ? await readOplog(examined.connection) : undefined;
  return oplog === undefined ? [] : [judgeOplog(oplog)];
}

export function judgeOplog({ first, last, fill }: Oplog): Finding {
  const hours = (last - first) / HOUR_S;
  const shown = hours < 10 ? hours.toFixed(1) : Math.floor(hours).toLocaleString('en');
  return hours < SHORTEST_OPLOG_HOURS && fill >= FULL
    ? warning(
        'oplog',
        `The oplog is full and reaches back ${shown} h: a member that is away for longer must be copied anew, and live streams read the event log again.`,
        `Keep at least ${SHORTEST_OPLOG_HOURS} h: db.adminCommand({ replSetResizeOplog: 1, minRetentionHours: ${3 * SHORTEST_OPLOG_HOURS} }) on each member.`,
      )
    : well('oplog', `The oplog reaches back ${shown} h.`);
}

/** Undefined where the account may not read it, or there is none: a mongos, or SecantusDB. */
async function readOplog(connection: Connection): Promise<Oplog | undefined> {
  const local = connection.getClient().db('local');
  const read = await permitted(async () => {
    const oplog = local.collection('oplog.rs');
    const end = (direction: 1 | -1) =>
      oplog.findOne({}, { sort: { $natural: direction }, projection: { ts: 1 } });
    return {
      first: await end(1),
      last: await end(-1),
      stats: await local.command({ collStats: 'oplog.rs' }),
    };
  });
  const [first, last] = [read?.first?.ts, read?.last?.ts];
  if (!(first instanceof mongo.Timestamp && last instanceof mongo.Timestamp)) {
    return undefined;
  }
  const { size = 0, maxSize = 0 } = read?.stats ?? {};
  return {
    first: first.getHighBits(),
    last: last.getHighBits(),
    fill: Number(maxSize) > 0 ? Number(size) / Number(maxSize) : 0,
  };
}

/** Undefined where the account may not send the command, or the server does not know it. */
async function permitted<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (
      error instanceof mongo.MongoServerError &&
      [UNAUTHORIZED, COMMAND_NOT_FOUND].includes(Number(error.code))
    ) {
      return undefined;
    }
    throw error;
  }
}
