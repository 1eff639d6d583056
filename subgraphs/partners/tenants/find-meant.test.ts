import { expect, test } from '@jest/globals';
import { type AccountId, ENVIRONMENTS, type Environment } from '../../kernel/account.ts';
import { findMeant, type NamedPartner, nameOf } from './find-meant.ts';
import type { Tenant } from './service.ts';

const find = (
  named: NamedPartner,
  having: AccountId[],
  environments: readonly Environment[] = ENVIRONMENTS,
) =>
  findMeant(
    {
      environments,
      find: async (accountId) => (accountId.startsWith('acme/') ? ({ accountId } as Tenant) : undefined),
    },
    named,
    async (among) => having.filter((one) => among.includes(one)),
  );
const meant = (accountId: AccountId) => ({ ok: true, value: { accountId } });
const AMBIGUOUS = { ok: false, failures: [{ code: 'AMBIGUOUS_ENVIRONMENT' }] };

test.each<[string, NamedPartner, AccountId[], object, readonly Environment[]]>([
  [
    'the named environment',
    { partnerId: 'acme', environment: 'live' },
    ['acme/sandbox'],
    meant('acme/live'),
    ENVIRONMENTS,
  ],
  [
    'the only one that has the record',
    { partnerId: 'acme' },
    ['acme/live'],
    meant('acme/live'),
    ENVIRONMENTS,
  ],
  [
    'the first one for a record that none has',
    { partnerId: 'acme' },
    [],
    meant('acme/sandbox'),
    ENVIRONMENTS,
  ],
  [
    'neither where both have the record',
    { partnerId: 'acme' },
    ['acme/sandbox', 'acme/live'],
    AMBIGUOUS,
    ENVIRONMENTS,
  ],
  [
    'the only one that is served',
    { partnerId: 'acme' },
    ['acme/sandbox', 'acme/live'],
    meant('acme/live'),
    ['live'],
  ],
  ['no unknown partner', { partnerId: 'nobody' }, [], { ok: true, value: undefined }, ENVIRONMENTS],
  ['no environment that is not served', nameOf('acme/sandbox'), [], { ok: true, value: undefined }, ['live']],
])('a call means %s', async (_what, named, having, expected, environments) => {
  expect(await find(named, having, environments)).toMatchObject(expected);
});
