import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { forbiddenImports } from './borders.ts';

const FOLDERS = ['gateway', 'rest-compat', 'schema', 'subgraphs', 'test'];

test('no file imports across a border', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
  expect(files.length).toBeGreaterThan(1_000);
  expect(files.flatMap((path) => forbiddenImports(path, readFileSync(path, 'utf8')))).toEqual([]);
});

test.each([
  ['subgraphs/kernel/money/amount.ts', '../../runtime/events/index.ts'],
  ['subgraphs/runtime/work/claim.ts', '../../graph/scalars.ts'],
  ['subgraphs/graph/timeline.ts', '../runtime/work/claim.ts'],
  ['subgraphs/dev-store/index.ts', '../users/index.ts'],
  ['subgraphs/partners/keys/service.ts', '../../webhooks/queue.ts'],
  ['subgraphs/webhooks/queue.ts', '../partners/keys/service.ts'],
  ['subgraphs/webhooks/queue.ts', '../providers/types.ts'],
  ['subgraphs/account/index.ts', '../users/index.ts'],
  ['subgraphs/providers/http.ts', '../partners/tenants/service.ts'],
  ['subgraphs/users/service.ts', '../links/index.ts'],
  ['subgraphs/links/service.ts', '../users/service.ts'],
  ['subgraphs/operations/service.ts', '../remittances/index.ts'],
  ['subgraphs/remittances/service.ts', '../operations/service.ts'],
  ['subgraphs/request-money/service.ts', '../account/index.ts'],
  ['subgraphs/users/service.ts', '../../gateway/app/app.ts'],
  ['subgraphs/users/service.ts', '../dev-store/index.ts'],
  ['subgraphs/users/service.test.ts', '../../rest-compat/index.ts'],
  ['subgraphs/users/testing.ts', '../../gateway/app/app.ts'],
  ['rest-compat/routes.ts', '../gateway/http/rate-limit.ts'],
  ['gateway/engine/plan.ts', '../http/rate-limit.ts'],
  ['gateway/engine/plan.ts', '../../subgraphs/kernel/text.ts'],
  ['gateway/engine/plan.test.ts', '../../test/support/http.ts'],
  ['gateway/http/routes.ts', '../engine/planner/plan.ts'],
  ['gateway/http/routes.ts', '../../subgraphs/dev-store/index.ts'],
  ['gateway/http/routes.test.ts', '../engine/planner/plan.ts'],
  ['test/e2e/node.test.ts', '../../gateway/engine/planner/plan.ts'],
  ['gateway/console/app.tsx', '../../subgraphs/kernel/text.ts'],
  ['gateway/console/app.tsx', '../client/follower.ts'],
  ['gateway/client/index.ts', '../../subgraphs/kernel/text.ts'],
])('a border keeps %s from importing %s', (path, imported) => {
  expect(forbiddenImports(path, `import type { X } from '${imported}';`)).toHaveLength(1);
  expect(forbiddenImports(path, `const { x } = await import('${imported}');`)).toHaveLength(1);
});
