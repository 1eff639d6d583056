import { expect, test } from '@jest/globals';
import { findUnserved, recordQueries } from '../../test/support/query-shapes.ts';
import { createOperatorLog } from '../partners/operator-log/index.ts';
import { createOperatorLogModel } from '../partners/operator-log/model.ts';
import { createOperatorRemittances } from './operator-remittances.ts';
import { usePipelineBench } from './testing.ts';

const bench = usePipelineBench();

test("a declared index serves every list of operators, of all partners and of one's", async () => {
  const { connection } = bench.database;
  const operatorLog = createOperatorLog({
    model: createOperatorLogModel(connection),
    clock: bench.deps.clock,
  });
  const operators = createOperatorRemittances({ ...bench.deps, operatorLog, connection });
  const queries = recordQueries(connection);
  for (const tenantId of [undefined, 'acme']) {
    for (const list of ['STUCK', 'WITHDRAWAL_UNKNOWN'] as const) {
      const listed = await operators.list({ list, tenantId }, {});
      await listed.count();
    }
    await operatorLog.list({ tenantId }, {});
    await operatorLog.list({ tenantId, act: 'RETRY_REMITTANCE' }, {});
  }
  expect(queries.length).toBeGreaterThan(10);
  expect(findUnserved(connection, queries)).toEqual([]);
});
