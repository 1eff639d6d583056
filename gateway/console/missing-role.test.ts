import { expect, test } from '@jest/globals';
import { CONSOLE_ACCESSES } from '../../subgraphs/kernel/principal.ts';
import { SCOPES_OF } from '../../subgraphs/partners/keys/console-session-record.ts';
import { missingRole } from './missing-role.ts';

test.each(CONSOLE_ACCESSES)('the scopes that %s has more than a viewer lead to that role', (access) => {
  const more = SCOPES_OF[access].filter((scope) => !SCOPES_OF.read.includes(scope));
  expect(missingRole(more)).toBe(access === 'read' ? undefined : access);
});

test.each([[['platform']], [['partner_write', 'platform']], [[]]])('no role has %j', (missing) => {
  expect(missingRole(missing)).toBeUndefined();
});
