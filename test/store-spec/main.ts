import { parseArgs } from 'node:util';
import { mongo } from 'mongoose';
import { startSharedTestServer } from '../support/test-database.ts';
import { readSpec } from './format.ts';
import { type Outcome, runFile } from './run.ts';

const VARIABLE = 'MONGODB_SPEC';

/**
 * `MONGODB_SPEC=FOLDER npm run spec:store [-- --only TEXT]`: MongoDB's driver specification tests on the store of the tests.
 * @returns the exit code: 1 with any difference
 */
async function main(): Promise<number> {
  const folder = process.env[VARIABLE];
  if (folder === undefined || folder === '') {
    say(
      `Skipped: ${VARIABLE} is not set. Set it to a folder with crud/, transactions/, … of mongodb/specifications, source/.`,
    );
    return 0;
  }
  const { only = '' } = parseArgs({ options: { only: { type: 'string' } } }).values;
  const server = await startSharedTestServer();
  try {
    const { uri } = server;
    const version = await versionOf(uri);
    say(`${server.description}, as version ${version}`);
    const outcomes: Outcome[] = [];
    for (const file of readSpec(folder).filter(({ name }) => name.includes(only))) {
      const ended = await runFile(file, { uri, version });
      outcomes.push(...ended);
      for (const { test, reason } of ended.filter(({ result }) => result === 'different')) {
        say(`${file.name}: ${test}\n    ${reason}`);
      }
    }
    return report(outcomes);
  } finally {
    await server.stop();
  }
}

function report(outcomes: readonly Outcome[]): number {
  const of = (wanted: Outcome['result']) => outcomes.filter(({ result }) => result === wanted);
  const reasons = new Map<string, number>();
  for (const { reason = '' } of of('left out')) {
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  for (const [reason, count] of reasons) {
    say(`left out: ${count}, because ${reason}`);
  }
  const different = of('different').length;
  say(`\n${of('passed').length} passed, ${different} different, ${of('left out').length} left out`);
  return different === 0 ? 0 : 1;
}

async function versionOf(uri: string): Promise<string> {
  const client = new mongo.MongoClient(uri);
  try {
    return (await client.db('admin').command({ buildInfo: 1 })).version;
  } finally {
    await client.close();
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exit(1);
  },
);
