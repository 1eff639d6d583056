import { expect, test } from '@jest/globals';
import { createOperatorLog } from '../partners/operator-log/index.ts';
import { createOperatorLogModel } from '../partners/operator-log/model.ts';
import { createOperatorRemittances } from './operator-remittances.ts';
import { usePipelineBench } from './testing.ts';
import { NOT_SENT, withdrawalsOn } from './testing-withdrawals.ts';
import { remittanceTimeline } from './use-cases/remittance-timeline.ts';

const bench = usePipelineBench();
const { later } = withdrawalsOn(bench);
const NO_HISTORY = { of: async () => [], ofMany: async () => [], changesAfter: async () => [] };

test('the timeline has an entry with an id of its own for each failed attempt, also after an operator’s retry', async () => {
  const { identity } = bench.deps.providers;
  const away = { ...identity, check: async () => NOT_SENT };
  const pipeline = bench.start({ providers: { ...bench.deps.providers, identity: away } });
  const { correlationId } = await bench.accept(pipeline);
  await bench.run(pipeline);
  later(1);
  const { connection } = bench.database;
  const operatorLog = createOperatorLog({
    model: createOperatorLogModel(connection),
    clock: bench.deps.clock,
  });
  const operators = createOperatorRemittances({ ...bench.deps, operatorLog, connection });
  const by = { source: 'COMMAND', actor: 'bob', host: 'ops-1' } as const;
  expect(await operators.retry({ id: `acme/sandbox|${correlationId}`, by })).toMatchObject({ ok: true });
  await bench.run(pipeline);
  const { read } = remittanceTimeline(pipeline, NO_HISTORY, bench.deps.users);
  const entries = (await read('acme/sandbox', correlationId, 100))?.entries ?? [];
  expect(entries).toMatchObject([
    { phase: 'CIP', attempt: 1 },
    { phase: 'CIP', attempt: 1 },
  ]);
  const ids = entries.map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
  expect(ids.toSorted()).toEqual(ids);
});
