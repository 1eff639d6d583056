import type { mongo } from 'mongoose';
import { devStoreServer } from '../../../../subgraphs/kernel/database/dev-store-server.ts';
import { createModels } from '../../../app/models.ts';
import { type Check, Difference, expectEqual, expectThat, NotTried } from '../check.ts';
import { dbOf } from '../scratch.ts';
import { fillCollections } from './fill.ts';
import { HOT_QUERIES, SMALL_COLLECTIONS } from './hot-queries.ts';
import { kindOf, type Recorder, type Statement } from './record.ts';
import { type PlanStage, stagesOf } from './stages.ts';

/** Documents of each growing collection: enough that a plan without an index is the worse one. */
const DOCUMENTS = 2_000;
/** The development store does not compare plans, and takes minutes to drop a large database. */
const FEW_DOCUMENTS = 100;

/** A load of as many seconds sends every hot query; in a shorter one some sweep may not have come. */
const WHOLE_LOAD_SECONDS = 30;

/**
 * Checks of the plans of all statements that a load has sent. Its server must have ended.
 * @param seconds of the load
 */
export function planChecks(recorder: Recorder, seconds: number): readonly Check[] {
  return [
    {
      name: 'plans: documents',
      run: async ({ connection, db }) => {
        createModels(connection);
        const isDevStore = devStoreServer(await db.admin().command({ buildInfo: 1 })) !== undefined;
        const copies = await fillCollections(connection, isDevStore ? FEW_DOCUMENTS : DOCUMENTS);
        return `${copies} copies of documents of the load`;
      },
    },
    { name: 'plans: every hot query was sent', run: async () => checkSent(recorder, seconds) },
    ...HOT_QUERIES.map(
      (hot): Check => ({
        name: `plans: ${hot.name}`,
        run: async ({ connection }) => {
          const statements = [...recorder.statements.values()].filter(hot.matches);
          if (statements.length === 0) {
            throw new NotTried('The load has not sent it');
          }
          return (await explainAll(dbOf(connection), statements)).join('; ');
        },
      }),
    ),
    {
      name: 'plans: all other statements',
      run: async ({ connection }) => {
        const others = [...recorder.statements.values()].filter(
          (statement) => !HOT_QUERIES.some(({ matches }) => matches(statement)),
        );
        const plans = await explainAll(dbOf(connection), others);
        return `${others.length} kinds of statements, ${plans.length} different plans`;
      },
    },
  ];
}

function checkSent({ statements }: Recorder, seconds: number): string {
  const sent = [...statements.values()];
  const missing = HOT_QUERIES.filter(({ matches }) => !sent.some(matches)).map(({ name }) => name);
  if (missing.length > 0 && seconds < WHOLE_LOAD_SECONDS) {
    throw new NotTried(`The load was too short to send: ${missing.join(', ')}`);
  }
  expectEqual('Hot queries that the load has not sent', missing, []);
  return `${sent.length} kinds of statements, ${HOT_QUERIES.length} hot queries among them`;
}

/** @returns their plans, each once @throws Difference that names each statement whose plan is at fault */
async function explainAll(db: mongo.Db, statements: readonly Statement[]): Promise<string[]> {
  const plans = new Set<string>();
  const faults: string[] = [];
  for (const statement of statements) {
    const command = { explain: statement.explained, verbosity: 'queryPlanner' };
    const explained = await db.command(command, { ignoreUndefined: true });
    const stages = stagesOf(explained);
    const fault = faultOf(statement, stages);
    if (fault === undefined) {
      plans.add(describePlan(stages));
    } else {
      faults.push(`${kindOf(statement)}: ${fault} (${describePlan(stages)})`);
    }
  }
  if (faults.length > 0) {
    throw new Difference(faults.join('\n'));
  }
  return [...plans];
}

/** The fault of a plan, for people; undefined for a good one. @throws Difference without a plan */
export function faultOf({ collection }: Statement, stages: readonly PlanStage[]): string | undefined {
  expectThat(stages.length > 0, 'The answer to explain has no plan');
  if (Object.hasOwn(SMALL_COLLECTIONS, collection)) {
    return undefined;
  }
  if (stages.some(({ stage }) => stage === 'COLLSCAN')) {
    return 'it reads the whole collection';
  }
  const sort = stages.find(({ stage, limit }) => stage === 'SORT' && limit === undefined);
  return sort && 'it sorts all that it finds, in memory';
}

function describePlan(stages: readonly PlanStage[]): string {
  return stages
    .map(({ stage, indexName }) => (indexName === undefined ? stage : `${stage} ${indexName}`))
    .toReversed()
    .join(' → ');
}
